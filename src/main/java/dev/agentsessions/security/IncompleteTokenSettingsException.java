package dev.agentsessions.security;

/** The service would accept tokens without a configured issuer and audience. */
class IncompleteTokenSettingsException extends RuntimeException {

	IncompleteTokenSettingsException() {
		super("Tokens are accepted without a check of their issuer and audience");
	}

}
