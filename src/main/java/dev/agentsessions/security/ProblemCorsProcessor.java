package dev.agentsessions.security;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

import dev.agentsessions.session.AccessException;
import dev.agentsessions.web.ApiHeaders;

/**
 * Permits web pages of the configured origins to call the service. Requests from pages of
 * other origins are rejected, including those that a browser sends without a preflight
 * request.
 */
class ProblemCorsProcessor extends DefaultCorsProcessor {

	private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

	private final AddressRateLimiter addresses;

	ProblemCorsProcessor(AddressRateLimiter addresses) {
		this.addresses = addresses;
	}

	static CorsFilter filter(List<String> origins, AddressRateLimiter addresses) {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.setAllowedOrigins(origins);
		configuration.setAllowedMethods(METHODS);
		configuration.setAllowedHeaders(ApiHeaders.OF_REQUESTS);
		configuration.setExposedHeaders(ApiHeaders.OF_RESPONSES);
		configuration.setMaxAge(Duration.ofHours(1));
		UrlBasedCorsConfigurationSource everywhere = new UrlBasedCorsConfigurationSource();
		everywhere.registerCorsConfiguration("/**", configuration);
		CorsFilter filter = new CorsFilter(everywhere);
		filter.setCorsProcessor(new ProblemCorsProcessor(addresses));
		return filter;
	}

	@Override
	public boolean processRequest(@Nullable CorsConfiguration configuration, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		boolean allowed = super.processRequest(configuration, request, response);
		if (!allowed) {
			this.addresses.refuse(request, response, new AccessException.Forbidden(
					"Web pages of this origin may not call the service (agent-sessions.security.cors-origins)"));
		}
		return allowed;
	}

	/** Leaves the response to the dialect. */
	@Override
	protected void rejectRequest(ServerHttpResponse response) {
	}

}
