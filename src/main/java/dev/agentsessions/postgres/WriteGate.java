package dev.agentsessions.postgres;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.session.SessionException;

/**
 * Limits how many requests hold a connection while they write, so that reads and groups
 * of appends always get one. A write that has met a locked row retries with the one
 * permit of a separate lane, so it delays only other writes that met a locked row.
 */
@Component
class WriteGate {

	static final String POOL_SIZE = "spring.datasource.hikari.maximum-pool-size";

	/**
	 * Connections that first attempts leave free: one for blocked appends, one for
	 * retries of other writes, and one for a read.
	 */
	private static final int RESERVED = 3;

	private final Semaphore firstAttempts;

	private final Semaphore furtherAttempts = new Semaphore(1, true);

	private final ConcurrentMap<UUID, SessionPermit> permits = new ConcurrentHashMap<>();

	private final DatabaseTimeouts timeouts;

	WriteGate(Environment environment, AppendProperties properties, DistributionProperties distribution,
			DatabaseTimeouts timeouts) {
		int writers = distribution.distributed() ? 0 : properties.writers();
		int connections = environment.getProperty(POOL_SIZE, Integer.class, 10);
		this.firstAttempts = new Semaphore(Math.max(1, connections - writers - RESERVED), true);
		this.timeouts = timeouts;
	}

	/**
	 * Runs a write, one at a time for each session or owner of state: concurrent ones
	 * would only wait for each other in the database.
	 * @param key the key of the session or owner
	 */
	<T> T serialize(UUID key, Supplier<T> attempt) {
		SessionPermit entry = this.permits.compute(key, (same, there) -> SessionPermit.entered(there));
		try {
			long since = System.nanoTime();
			return holding(entry.permit(), since, () -> run(attempt, since));
		}
		finally {
			this.permits.computeIfPresent(key, (same, there) -> there.left());
		}
	}

	/** Runs a write. Repeats an attempt that meets a locked row until the time-out. */
	<T> T run(Supplier<T> attempt) {
		return run(attempt, System.nanoTime());
	}

	private <T> T run(Supplier<T> attempt, long since) {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			return attempt.get();
		}
		try {
			return holding(this.firstAttempts, since, attempt);
		}
		catch (RowLockedException ex) {
			return runAgain(attempt, since);
		}
	}

	private <T> T runAgain(Supplier<T> attempt, long since) {
		while (true) {
			try {
				return holding(this.furtherAttempts, since, attempt);
			}
			catch (RowLockedException ex) {
				if (this.timeouts.isOver(since)) {
					throw new SessionException.Unavailable(Transactions.TOO_SLOW, ex);
				}
			}
		}
	}

	private <T> T holding(Semaphore permit, long since, Supplier<T> attempt) {
		acquire(permit, since);
		try {
			return attempt.get();
		}
		finally {
			permit.release();
		}
	}

	private void acquire(Semaphore permit, long since) {
		try {
			if (!permit.tryAcquire(this.timeouts.nanosLeft(since), TimeUnit.NANOSECONDS)) {
				throw new SessionException.Unavailable(Transactions.TOO_SLOW);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(Transactions.TOO_SLOW, ex);
		}
	}

	/**
	 * The permit to write to a session.
	 *
	 * @param permit held by the request that writes
	 * @param writers the number of requests that write or wait
	 */
	private record SessionPermit(Semaphore permit, int writers) {

		static SessionPermit entered(@Nullable SessionPermit there) {
			return (there != null) ? new SessionPermit(there.permit, there.writers + 1)
					: new SessionPermit(new Semaphore(1, true), 1);
		}

		@Nullable SessionPermit left() {
			return (this.writers > 1) ? new SessionPermit(this.permit, this.writers - 1) : null;
		}

	}

}
