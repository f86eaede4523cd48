package dev.agentsessions.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which settings are needed before other machines may reach the service. */
class NoAccessControlFailureAnalyzer extends AbstractFailureAnalyzer<NoAccessControlException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoAccessControlException cause) {
		return new FailureAnalysis("""
				The service is bound to an address that other machines may reach (server.address), and no access \
				control is configured: any caller could read and change every session.""", """
				Make an API key with 'java -jar agent-sessions.jar --new-api-key' and configure its hash:

				    AGENTSESSIONS_SECURITY_APIKEYS_0_NAME=my-agent
				    AGENTSESSIONS_SECURITY_APIKEYS_0_SHA256=...
				    AGENTSESSIONS_SECURITY_APIKEYS_0_APPS=my-app
				    AGENTSESSIONS_SECURITY_APIKEYS_0_ROLE=agent

				or accept the tokens of an OAuth 2 issuer:

				    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI=https://...
				    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES=agent-sessions

				or let only this machine in with SERVER_ADDRESS=127.0.0.1. If something else keeps unknown \
				callers out, set AGENTSESSIONS_SECURITY_ALLOWANONYMOUS=true.""", cause);
	}

}
