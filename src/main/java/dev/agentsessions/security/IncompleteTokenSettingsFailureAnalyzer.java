package dev.agentsessions.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which token settings are missing. */
class IncompleteTokenSettingsFailureAnalyzer extends AbstractFailureAnalyzer<IncompleteTokenSettingsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, IncompleteTokenSettingsException cause) {
		return new FailureAnalysis("""
				Tokens are accepted (spring.security.oauth2.resourceserver.jwt), but without a check of who issued \
				them, or for which service.""", """
				Set both:

				    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI=https://...
				    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES=agent-sessions""", cause);
	}

}
