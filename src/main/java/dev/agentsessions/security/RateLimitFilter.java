package dev.agentsessions.security;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.http.Dialects;
import dev.agentsessions.http.ErrorResponder;
import dev.agentsessions.security.SecurityProperties.RateLimit;
import dev.agentsessions.session.AccessException;

/**
 * Refuses callers who ask too often for one app, of this replica. Without access control
 * nobody can be told from anybody else, and one would use up the share of all.
 */
class RateLimitFilter extends OncePerRequestFilter {

	/** Whoever makes up names of apps gets no more memory than this. */
	private static final int MAX_BUCKETS = 10_000;

	private final RateLimit limit;

	private final LoadingCache<Requests, Bucket> buckets;

	private final Callers callers;

	private final Dialects dialects;

	private final ErrorResponder errors;

	RateLimitFilter(RateLimit limit, Callers callers, Dialects dialects, ErrorResponder errors) {
		this.limit = limit;
		this.buckets = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfterAccess(Duration.ofMinutes(10))
			.build((requests) -> newBucket());
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
		Duration wait = caller.filter((known) -> known != Caller.ANYBODY)
			.map((known) -> count(new Requests(known.name(), this.dialects.appName(request))))
			.orElse(Duration.ZERO);
		if (wait.isZero()) {
			chain.doFilter(request, response);
			return;
		}
		response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.plusMillis(999).toSeconds()));
		this.errors.answer(request, response, new AccessException.RateLimited(
				"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."));
	}

	/** Tells how long to wait before the next request; zero if this one may go ahead. */
	private Duration count(Requests requests) {
		Bucket bucket = this.buckets.get(requests);
		return Duration.ofNanos(bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill());
	}

	private Bucket newBucket() {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(this.limit.burst())
				.refillGreedy(this.limit.requestsPerSecond(), Duration.ofSeconds(1)))
			.build();
	}

	private record Requests(String caller, String appName) {
	}

}
