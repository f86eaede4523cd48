package dev.agentsessions.security;

/** Other machines could reach the service without access control. */
class NoAccessControlException extends RuntimeException {

	NoAccessControlException() {
		super("Other machines could reach the service, and no access control is configured");
	}

}
