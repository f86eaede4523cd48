package dev.agentsessions.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.security.AddressRateLimiter.RateLimitFilter.RequestCounter;
import dev.agentsessions.security.SecurityProperties.AddressRateLimit;
import dev.agentsessions.security.SecurityProperties.RateLimit;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.ErrorResponder;

/**
 * Limits the rate of requests without valid credentials, by client address. It never
 * limits requests with valid credentials, so that no caller locks out others with the
 * same address, such as all clients of a proxy that does not forward addresses.
 */
@Component
class AddressRateLimiter {

	/**
	 * Text that does not match is not passed to {@link InetAddress}, which would look up
	 * a host name.
	 */
	private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*");

	private static final int NETWORK_BYTES = 8;

	/** A proxy may forward any text as an address. */
	private static final int MAX_ADDRESS_CHARS = 45;

	/** The attribute of a request that has been counted. */
	private static final String COUNTED = AddressRateLimiter.class.getName() + ".counted";

	private final AddressRateLimit limit;

	private final RequestCounter<String> requests;

	private final CurrentCaller callers;

	private final ErrorResponder errors;

	AddressRateLimiter(SecurityProperties properties, CurrentCaller callers, ErrorResponder errors) {
		this.callers = callers;
		this.limit = properties.addressRateLimit();
		this.requests = new RequestCounter<>(this.limit.requestsPerSecond(), this.limit.burst(), errors);
		this.errors = errors;
	}

	/**
	 * Returns whether the request of this thread has valid credentials, or needs none.
	 */
	boolean knowsCaller() {
		return this.callers.find().isPresent();
	}

	/**
	 * Counts a request whose caller is not known so far, and rejects it as such, or
	 * because there were too many.
	 * @param refusal why the request is rejected otherwise
	 */
	void refuse(HttpServletRequest request, HttpServletResponse response, AccessException refusal) {
		if (!refuses(request, response)) {
			this.errors.answer(request, response, refusal);
		}
	}

	/**
	 * Counts a request without valid credentials once, and rejects it if there were too
	 * many.
	 * @return whether the request was rejected
	 */
	boolean refuses(HttpServletRequest request, HttpServletResponse response) {
		if (knowsCaller() || this.limit.requestsPerSecond() == 0 || request.getAttribute(COUNTED) != null) {
			return false;
		}
		request.setAttribute(COUNTED, true);
		return this.requests.refuses(network(request.getRemoteAddr()), request, response,
				"Too many requests without valid credentials (agent-sessions.security.address-rate-limit). "
						+ "Please retry later.");
	}

	/**
	 * Returns the key by which an address is counted: for IPv6 its /64 network, because a
	 * client usually has all addresses of it.
	 */
	static String network(String address) {
		String text = address.substring(0, Math.min(MAX_ADDRESS_CHARS, address.length())).split("%", 2)[0];
		if (!IPV6.matcher(text).matches()) {
			return text;
		}
		try {
			byte[] bytes = InetAddress.getByName(text).getAddress();
			return HexFormat.of().formatHex(bytes, 0, Math.min(NETWORK_BYTES, bytes.length));
		}
		catch (UnknownHostException ex) {
			return text;
		}
	}

	/**
	 * Counts the requests without credentials, also those to what everybody may see. The
	 * filters before it have counted the requests that they refuse.
	 */
	static class UnknownCallerFilter extends OncePerRequestFilter {

		/**
		 * Probes are not counted: a rejected probe would take a replica out of service
		 * because of another client at the same address, and a response to it costs no
		 * more than a rejection. The matcher stores the paths of the first application
		 * that it sees, so each application has its own.
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

	/**
	 * Limits the requests of a caller for one app in this replica. Without access control
	 * there is no limit: callers cannot be distinguished, so one could use up the limit
	 * of all.
	 */
	static class RateLimitFilter extends OncePerRequestFilter {

		private final RateLimit limit;

		private final RequestCounter<CallerAndApp> requests;

		private final CurrentCaller callers;

		private final ApiDialects dialects;

		RateLimitFilter(RateLimit limit, CurrentCaller callers, ApiDialects dialects, ErrorResponder errors) {
			this.limit = limit;
			this.requests = new RequestCounter<>(limit.requestsPerSecond(), limit.burst(), errors);
			this.callers = callers;
			this.dialects = dialects;
		}

		@Override
		protected boolean shouldNotFilter(HttpServletRequest request) {
			return this.limit.requestsPerSecond() == 0;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			Caller caller = this.callers.find().orElse(Caller.ANONYMOUS);
			if (caller == Caller.ANONYMOUS || !this.requests.refuses(
					new CallerAndApp(caller.name(), this.dialects.appName(request)), request, response,
					"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later.")) {
				chain.doFilter(request, response);
			}
		}

		private record CallerAndApp(String caller, String appName) {
		}

		/**
		 * Counts the requests of many callers in this replica, and forgets callers
		 * without a request for ten minutes.
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

			private final ErrorResponder errors;

			/**
			 * Creates a counter for a limit.
			 * @param requestsPerSecond the permitted average number of requests of a
			 * caller; callers that pass 0 do not count
			 * @param burst the permitted number of requests at once
			 */
			RequestCounter(int requestsPerSecond, int burst, ErrorResponder errors) {
				this.errors = errors;
				this.buckets = Caffeine.newBuilder()
					.maximumSize(MAX_BUCKETS)
					.expireAfterAccess(Duration.ofMinutes(10))
					.build((caller) -> bucket(Math.max(1, requestsPerSecond), burst));
			}

			/**
			 * Counts a request, and rejects it if there were too many of its caller.
			 * @param message says so
			 * @return whether the request was rejected
			 */
			boolean refuses(K caller, HttpServletRequest request, HttpServletResponse response, String message) {
				Bucket bucket = this.buckets.get(caller);
				Duration wait = Duration.ofNanos(bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill());
				if (wait.isZero()) {
					return false;
				}
				// Rounded up to whole seconds
				response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.plusMillis(999).toSeconds()));
				this.errors.answer(request, response, new AccessException.RateLimited(message));
				return true;
			}

			private static Bucket bucket(int requestsPerSecond, int burst) {
				return Bucket.builder()
					.addLimit((bandwidth) -> bandwidth.capacity(burst)
						.refillGreedy(requestsPerSecond, Duration.ofSeconds(1)))
					.build();
			}

		}

	}

}
