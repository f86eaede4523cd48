package dev.agentsessions.security;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.util.StringUtils;

/**
 * Reads the key or token of a request from the header that Google's clients use for API
 * keys, or as a bearer token. It never reads it from the URL, which is written to logs.
 */
class ApiKeyBearerTokenResolver implements BearerTokenResolver {

	private final BearerTokenResolver bearer = new DefaultBearerTokenResolver();

	@Override
	public @Nullable String resolve(HttpServletRequest request) {
		String apiKey = request.getHeader("x-goog-api-key");
		return StringUtils.hasText(apiKey) ? apiKey : this.bearer.resolve(request);
	}

}
