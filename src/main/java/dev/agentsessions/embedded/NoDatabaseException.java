package dev.agentsessions.embedded;

/** No database is configured, and none is packaged with the program. */
class NoDatabaseException extends RuntimeException {

	NoDatabaseException() {
		super("No database is configured");
	}

}
