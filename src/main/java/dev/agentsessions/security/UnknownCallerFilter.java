package dev.agentsessions.security;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Counts the requests without credentials, also those to what everybody may see. The
 * filters before it have counted the requests that they refuse.
 */
class UnknownCallerFilter extends OncePerRequestFilter {

	/**
	 * Probes are not counted: a rejected probe would take a replica out of service
	 * because of another client at the same address, and a response to it costs no more
	 * than a rejection. The matcher stores the paths of the first application that it
	 * sees, so each application has its own.
	 */
	private final RequestMatcher probes = new OrRequestMatcher(EndpointRequest.to(HealthEndpoint.class),
			(request) -> request.getServletPath().equals("/health"));

	private final AddressRateLimiter addresses;

	UnknownCallerFilter(AddressRateLimiter addresses) {
		this.addresses = addresses;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return this.addresses.knowsCaller() || this.probes.matches(request);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!this.addresses.refuses(request, response)) {
			chain.doFilter(request, response);
		}
	}

}
