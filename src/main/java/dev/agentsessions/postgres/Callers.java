package dev.agentsessions.postgres;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

/**
 * The share of a lane that each caller may have. A caller first waits for a connection of
 * its share, and then with at most this share for the lane. So the work of another caller
 * waits for that share at most, however much one caller asks for.
 */
public final class Callers {

	/** More work of a caller at once than this and its share is refused. */
	static final int MAX_WAITING = 9;

	private final double share;

	private final Supplier<Optional<String>> current;

	/**
	 * Creates it.
	 * @param share the share of the connections that one caller may have, above 0 to 1;
	 * one connection at least
	 * @param current returns for whom this thread works; empty for the service itself,
	 * which has no limit
	 */
	public Callers(double share, Supplier<Optional<String>> current) {
		this.share = share;
		this.current = current;
	}

	/**
	 * Returns the permits of the current caller in a lane, shared by all of its work.
	 * @param connections the connections of the lane
	 */
	Supplier<Optional<Semaphore>> permits(int connections) {
		int permits = Math.max(1, (int) (connections * this.share));
		LoadingCache<String, Semaphore> ofCallers = Caffeine.newBuilder()
			.weakValues()
			.build((caller) -> new Semaphore(permits, true));
		return () -> this.current.get().map(ofCallers::get);
	}

}
