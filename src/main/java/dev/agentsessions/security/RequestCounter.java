package dev.agentsessions.security;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;

/**
 * Counts the requests of many callers in this replica, and forgets callers without a
 * request for ten minutes.
 *
 * @param <K> the key of a caller
 */
final class RequestCounter<K> {

	/**
	 * Bounds the memory that a caller with random app names or many addresses can use.
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
	 * Counts a request. Returns how long the caller has to wait; zero if the request is
	 * permitted.
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
			.addLimit((bandwidth) -> bandwidth.capacity(burst).refillGreedy(requestsPerSecond, Duration.ofSeconds(1)))
			.build();
	}

}
