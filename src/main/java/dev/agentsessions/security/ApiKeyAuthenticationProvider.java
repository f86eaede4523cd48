package dev.agentsessions.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Authenticates callers by their API key. */
class ApiKeyAuthenticationProvider implements AuthenticationProvider {

	private final ApiKeys keys;

	ApiKeyAuthenticationProvider(ApiKeys keys) {
		this.keys = keys;
	}

	/** Returns {@code null} for an unknown key, which may be a token. */
	@Override
	public @Nullable Authentication authenticate(Authentication authentication) {
		return this.keys.find(((BearerTokenAuthenticationToken) authentication).getToken()).orElse(null);
	}

	@Override
	public boolean supports(Class<?> authentication) {
		return authentication == BearerTokenAuthenticationToken.class;
	}

}
