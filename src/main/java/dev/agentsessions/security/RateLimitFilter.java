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

import dev.agentsessions.security.SecurityProperties.RateLimit;
import dev.agentsessions.security.caller.Caller;
import dev.agentsessions.security.caller.CurrentCaller;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.web.ApiDialects;
import dev.agentsessions.web.ErrorResponder;

/**
 * Limits the requests of a caller for one app in this replica. Without access control
 * there is no limit: callers cannot be distinguished, so one could use up the limit of
 * all.
 */
class RateLimitFilter extends OncePerRequestFilter {

	private final RateLimit limit;

	private final RequestCounter<CallerAndApp> requests;

	private final CurrentCaller callers;

	private final ApiDialects dialects;

	private final ErrorResponder errors;

	RateLimitFilter(RateLimit limit, CurrentCaller callers, ApiDialects dialects, ErrorResponder errors) {
		this.limit = limit;
		this.requests = new RequestCounter<>(limit.requestsPerSecond(), limit.burst());
		this.callers = callers;
		this.dialects = dialects;
		this.errors = errors;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return this.limit.requestsPerSecond() == 0;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Optional<Caller> caller = this.callers.of(SecurityContextHolder.getContext().getAuthentication());
		Duration wait = caller.filter((known) -> known != Caller.ANONYMOUS)
			.map((known) -> this.requests.count(new CallerAndApp(known.name(), this.dialects.appName(request))))
			.orElse(Duration.ZERO);
		if (wait.isZero()) {
			chain.doFilter(request, response);
			return;
		}
		response.setHeader(HttpHeaders.RETRY_AFTER, RequestCounter.seconds(wait));
		this.errors.answer(request, response, new AccessException.RateLimited(
				"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."));
	}

	private record CallerAndApp(String caller, String appName) {
	}

}
