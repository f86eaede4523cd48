package dev.agentsessions.security;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.SecurityProperties.RateLimit;

/** Counts the requests of each caller for each app, in this replica. */
@Component
class RequestRate {

	/** Whoever makes up names of apps gets no more memory than this. */
	private static final int MAX_BUCKETS = 10_000;

	private final RateLimit limit;

	private final LoadingCache<Requests, Bucket> buckets;

	RequestRate(SecurityProperties properties) {
		this.limit = properties.rateLimit();
		this.buckets = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfterAccess(Duration.ofMinutes(10))
			.build((requests) -> newBucket());
	}

	/**
	 * Counts a request.
	 * @return how long to wait before the next one; zero if this one may go ahead
	 */
	Duration count(Caller caller, String appName) {
		if (this.limit.requestsPerSecond() == 0) {
			return Duration.ZERO;
		}
		Bucket bucket = this.buckets.get(new Requests(caller.name(), appName));
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
