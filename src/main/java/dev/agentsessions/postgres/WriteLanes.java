package dev.agentsessions.postgres;

import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs writes in their lane. A write that has met a locked row retries in a lane of its
 * own, so it delays only other writes that met a locked row.
 */
@Component
public class WriteLanes {

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
	 * would only wait for each other in the database. Within a transaction, which has a
	 * connection already, a write waits for nothing.
	 * @param key the key of the session or owner
	 */
	public <T> T serialize(UUID key, Supplier<T> attempt) {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			return attempt.get();
		}
		long since = System.nanoTime();
		return this.lanes.writes().holding(this.permits.get(key), since, () -> run(attempt, since));
	}

	/** Runs a write. Repeats an attempt that meets a locked row until the time-out. */
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
	 * Another transaction kept a row locked for longer than the lock time-out. Nothing
	 * was written.
	 */
	public static final class RowLockedException extends RuntimeException {

		public RowLockedException(Throwable cause) {
			super("A row is locked", cause);
		}

	}

}
