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

import dev.agentsessions.security.SecurityProperties.RateLimit;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.web.ApiDialect.ApiDialects;
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

	/**
	 * Counts the requests of many callers in this replica, and forgets callers without a
	 * request for ten minutes.
	 *
	 * @param <K> the key of a caller
	 */
	static final class RequestCounter<K> {

		/**
		 * Bounds the memory that a caller with random app names or many addresses can
		 * use.
		 */
		private static final int MAX_BUCKETS = 10_000;

		private final LoadingCache<K, Bucket> buckets;

		/**
		 * Creates a counter for a limit.
		 * @param requestsPerSecond the permitted average number of requests of a caller;
		 * callers that pass 0 do not count
		 * @param burst the permitted number of requests at once
		 */
		RequestCounter(int requestsPerSecond, int burst) {
			this.buckets = Caffeine.newBuilder()
				.maximumSize(MAX_BUCKETS)
				.expireAfterAccess(Duration.ofMinutes(10))
				.build((caller) -> bucket(Math.max(1, requestsPerSecond), burst));
		}

		/**
		 * Counts a request. Returns how long the caller has to wait; zero if the request
		 * is permitted.
		 */
		Duration count(K caller) {
			Bucket bucket = this.buckets.get(caller);
			return Duration.ofNanos(bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill());
		}

		/** Returns a wait rounded up to whole seconds, for {@code Retry-After}. */
		static String seconds(Duration wait) {
			return Long.toString(wait.plusMillis(999).toSeconds());
		}

		private static Bucket bucket(int requestsPerSecond, int burst) {
			return Bucket.builder()
				.addLimit(
						(bandwidth) -> bandwidth.capacity(burst).refillGreedy(requestsPerSecond, Duration.ofSeconds(1)))
				.build();
		}

	}

}
