package dev.agentsessions.security;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.http.Dialects;
import dev.agentsessions.http.ErrorResponder;
import dev.agentsessions.session.AccessException;

/**
 * Refuses callers who ask too often. Without access control nobody can be told from
 * anybody else, and one would use up the share of all.
 */
class RateLimitFilter extends OncePerRequestFilter {

	private final RequestRate rate;

	private final Callers callers;

	private final Dialects dialects;

	private final ErrorResponder errors;

	RateLimitFilter(RequestRate rate, Callers callers, Dialects dialects, ErrorResponder errors) {
		this.rate = rate;
		this.callers = callers;
		this.dialects = dialects;
		this.errors = errors;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Optional<Caller> caller = this.callers.of(SecurityContextHolder.getContext().getAuthentication());
		Duration wait = caller.filter((known) -> known != Caller.ANYBODY)
			.map((known) -> this.rate.count(known, this.dialects.appName(request)))
			.orElse(Duration.ZERO);
		if (wait.isZero()) {
			chain.doFilter(request, response);
			return;
		}
		response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.plusMillis(999).toSeconds()));
		this.errors.answer(request, response, new AccessException.RateLimited(
				"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."));
	}

}
