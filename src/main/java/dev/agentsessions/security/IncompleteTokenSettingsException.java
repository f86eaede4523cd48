package dev.agentsessions.security;

/** Tokens are accepted, and it is not said whose and for whom. */
class IncompleteTokenSettingsException extends RuntimeException {

	IncompleteTokenSettingsException() {
		super("Tokens are accepted without a check of their issuer and audience");
	}

}
