package dev.agentsessions.security;

/** Other machines could reach the service, and nothing controls who calls. */
class NoAccessControlException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoAccessControlException() {
		super("Other machines could reach the service, and no access control is configured");
	}

}
