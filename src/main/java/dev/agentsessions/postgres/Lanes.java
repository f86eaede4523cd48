package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.micrometer.core.instrument.MeterRegistry;
import org.hibernate.validator.constraints.Range;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.startup.DataSizeRange;

/**
 * Who may have a connection. The lanes of writes and one connection for reads add up to
 * the pool, unless it has too few for one each; reads also use each connection that is
 * idle. Work that has a connection waits for no other, and work in a lane only for lanes
 * after it, so none waits in a circle.
 *
 * @param heavy the quarter for heavy work, which also enters the lanes below
 * @param writes first attempts of writes
 * @param retries further attempts of writes
 * @param groups groups of appends
 * @param blocked appends that have met a locked row
 * @param reads all other work
 */
public record Lanes(Lane heavy, Lane writes, Lane retries, Lane groups, Lane blocked, Lane reads) {

	/** What clients read if the database takes too long. */
	public static final String TOO_SLOW = "The session store did not answer in time. "
			+ "Please retry; an event with an id is stored once, however often it is sent.";

	/** One connection in this number may do heavy work. */
	private static final int SHARE_OF_HEAVY = 4;

	/** Work that has met a locked row delays only other such work. */
	private static final int LOCKED_ROWS = 1;

	private static final int READS = 1;

	/**
	 * While all connections are in use, this number of reads waits for one in the pool.
	 * If the database is away, the pool refuses them at once, and so those that wait for
	 * the lane.
	 */
	private static final int READS_IN_POOL = 1;

	/**
	 * Divides the connections of a pool.
	 * @param pool the number of connections
	 * @param groups how many of them are for groups of appends
	 * @param maxWait how long work waits for a statement and for its turn to write or to
	 * do heavy work; zero for no limit
	 * @param maxWaitOfReads how long reads wait for a connection
	 * @param callers what share of the heavy work is for one caller
	 */
	public static Lanes of(int pool, int groups, Duration maxWait, Duration maxWaitOfReads, Callers callers,
			MeterRegistry registry) {
		int heavy = Math.max(1, pool / SHARE_OF_HEAVY);
		return new Lanes(
				new Lane("heavy", heavy, maxWait,
						"Too many long histories are read or copied, or long lists searched, at once. Please retry.",
						callers.permits(heavy), registry),
				new Lane("writes", Math.max(1, pool - groups - 2 * LOCKED_ROWS - READS), maxWait, TOO_SLOW, registry),
				new Lane("retries", LOCKED_ROWS, maxWait, TOO_SLOW, registry),
				new Lane("groups", groups, maxWait, "Too many appends are waiting. Please retry.", registry),
				new Lane("blocked", LOCKED_ROWS, maxWait, TOO_SLOW, registry), new Lane("reads", pool + READS_IN_POOL,
						maxWaitOfReads, "The session store is not available at the moment. Please retry.", registry));
	}

	/**
	 * The share of a lane that each caller may have. A caller first waits for a
	 * connection of its share, and then with at most this share for the lane. So the work
	 * of another caller waits for that share at most, however much one caller asks for.
	 */
	public static final class Callers {

		/** More work of a caller at once than this and its share is refused. */
		static final int MAX_WAITING = 9;

		private final double share;

		private final Supplier<Optional<String>> current;

		/**
		 * Creates it.
		 * @param share the share of the connections that one caller may have, above 0 to
		 * 1; one connection at least
		 * @param current returns for whom this thread works; empty for the service
		 * itself, which has no limit
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

	/**
	 * Runs writes in their lane. A write that has met a locked row retries in a lane of
	 * its own, so it delays only other writes that met a locked row.
	 */
	@Component
	public static class WriteLanes {

		/** A permit for each key that a request writes to or waits for. */
		private final LoadingCache<UUID, Semaphore> permits = Caffeine.newBuilder()
			.weakValues()
			.build((key) -> new Semaphore(1, true));

		private final Lanes lanes;

		WriteLanes(Lanes lanes) {
			this.lanes = lanes;
		}

		/**
		 * Runs a write, one at a time for each session or owner of state: concurrent ones
		 * would only wait for each other in the database. Within a transaction, which has
		 * a connection already, a write waits for nothing.
		 * @param key the key of the session or owner
		 */
		public <T> T serialize(UUID key, Supplier<T> attempt) {
			if (TransactionSynchronizationManager.isActualTransactionActive()) {
				return attempt.get();
			}
			long since = System.nanoTime();
			return this.lanes.writes().holding(this.permits.get(key), since, () -> run(attempt, since));
		}

		/**
		 * Runs a write. Repeats an attempt that meets a locked row until the time-out.
		 */
		public <T> T run(Supplier<T> attempt) {
			return run(attempt, System.nanoTime());
		}

		private <T> T run(Supplier<T> attempt, long since) {
			if (TransactionSynchronizationManager.isActualTransactionActive()) {
				return attempt.get();
			}
			try {
				return this.lanes.writes().run(since, attempt);
			}
			catch (RowLockedException ex) {
				return runAgain(attempt, since);
			}
		}

		private <T> T runAgain(Supplier<T> attempt, long since) {
			while (true) {
				try {
					return this.lanes.retries().run(since, attempt);
				}
				catch (RowLockedException ex) {
					if (this.lanes.retries().isOver(since)) {
						throw this.lanes.retries().refuse(ex);
					}
				}
			}
		}

		/**
		 * Another transaction kept a row locked for longer than the lock time-out.
		 * Nothing was written.
		 */
		public static final class RowLockedException extends RuntimeException {

			public RowLockedException(Throwable cause) {
				super("A row is locked", cause);
			}

		}

	}

	/**
	 * Settings of the groups in which appends are stored.
	 *
	 * @param groupSize the maximum number of appends in one transaction, 1 to 1,000; with
	 * 1, each has its own
	 * @param writers the number of concurrent transactions that store groups, 1 to 64
	 * @param waitingSize the maximum memory of waiting appends; further appends get 503;
	 * a twentieth of the heap if it is not set
	 * @param largeEvent an event of this size and larger is stored alone
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.append")
	public record AppendProperties(@DefaultValue("64") @Range(min = 1, max = 1000) int groupSize,
			@DefaultValue("2") @Range(min = 1, max = 64) int writers, @DataSizeRange @Nullable DataSize waitingSize,
			@DefaultValue("64KB") @DataSizeRange DataSize largeEvent) {

		/** Returns the maximum memory of waiting appends, in bytes. */
		public long waitingBytes() {
			return (this.waitingSize != null) ? this.waitingSize.toBytes() : HeapShare.WAITING_APPENDS.bytes();
		}

	}

}
