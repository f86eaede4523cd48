package dev.agentsessions.security;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;

/**
 * Counts the requests of many callers in this replica, and forgets callers that have not
 * asked for ten minutes.
 *
 * @param <K> what tells one caller from another
 */
final class RequestCounter<K> {

	/**
	 * A caller who makes up names of apps, or has many addresses, gets no more memory.
	 */
	private static final int MAX_BUCKETS = 10_000;

	private final LoadingCache<K, Bucket> buckets;

	/**
	 * Creates a counter for a limit.
	 * @param requestsPerSecond how many requests of a caller go ahead, on average; 0 is
	 * for those who do not count
	 * @param burst how many at once
	 */
	RequestCounter(int requestsPerSecond, int burst) {
		this.buckets = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfterAccess(Duration.ofMinutes(10))
			.build((caller) -> bucket(Math.max(1, requestsPerSecond), burst));
	}

	/** Tells how long to wait before the next request; zero if this one may go ahead. */
	Duration count(K caller) {
		Bucket bucket = this.buckets.get(caller);
		return Duration.ofNanos(bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill());
	}

	/** A time to wait in whole seconds, as {@code Retry-After} has it. */
	static String seconds(Duration wait) {
		return Long.toString(wait.plusMillis(999).toSeconds());
	}

	private static Bucket bucket(int requestsPerSecond, int burst) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(burst).refillGreedy(requestsPerSecond, Duration.ofSeconds(1)))
			.build();
	}

}
