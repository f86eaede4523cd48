package dev.agentsessions.security;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/**
 * Knows callers by their API key. Hashes are compared in constant time, and all of them
 * always, so that the time an answer takes tells nothing.
 */
class ApiKeyAuthenticationProvider implements AuthenticationProvider {

	private final Map<byte[], Caller> callers = new LinkedHashMap<>();

	ApiKeyAuthenticationProvider(List<ApiKey> keys) {
		keys.forEach((key) -> this.callers.put(HexFormat.of().parseHex(key.sha256()), key.toCaller()));
	}

	/** Answers {@code null} for a key it does not know; it may be a token. */
	@Override
	public @Nullable Authentication authenticate(Authentication authentication) {
		byte[] hash = ApiKey.hash(((BearerTokenAuthenticationToken) authentication).getToken());
		Caller found = null;
		for (Map.Entry<byte[], Caller> known : this.callers.entrySet()) {
			if (MessageDigest.isEqual(known.getKey(), hash)) {
				found = known.getValue();
			}
		}
		return (found != null) ? new CallerAuthentication(found) : null;
	}

	@Override
	public boolean supports(Class<?> authentication) {
		return authentication == BearerTokenAuthenticationToken.class;
	}

}
