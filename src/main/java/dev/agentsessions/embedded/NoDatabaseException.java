package dev.agentsessions.embedded;

/** No database is configured, and none is packaged with the program. */
class NoDatabaseException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoDatabaseException() {
		super("No database is configured");
	}

}
