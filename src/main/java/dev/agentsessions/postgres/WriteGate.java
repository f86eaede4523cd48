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
 * Lets only so many requests at a time hold a connection while they write, so that reads
 * and groups of appends always get one. Whoever has met a locked row tries again from
 * another, narrow lane, and so holds up nobody but those who met one, too.
 */
@Component
class WriteGate {

	static final String POOL_SIZE = "spring.datasource.hikari.maximum-pool-size";

	/**
	 * Connections for those who wait for locked rows, with and without a group, and for a
	 * read.
	 */
	private static final int RESERVED = 3;

	private final Semaphore firstAttempts;

	private final Semaphore furtherAttempts = new Semaphore(1, true);

	private final ConcurrentMap<UUID, SessionTurn> turns = new ConcurrentHashMap<>();

	private final DatabaseTimeouts timeouts;

	WriteGate(Environment environment, AppendProperties properties, DistributionProperties distribution,
			DatabaseTimeouts timeouts) {
		int writers = distribution.distributed() ? 0 : properties.writers();
		int connections = environment.getProperty(POOL_SIZE, Integer.class, 10);
		this.firstAttempts = new Semaphore(Math.max(1, connections - writers - RESERVED), true);
		this.timeouts = timeouts;
	}

	/**
	 * Writes, one at a time for each session or owner of a state: they would only wait
	 * for each other in the database.
	 * @param key the session or owner
	 */
	<T> T inTurn(UUID key, Supplier<T> attempt) {
		SessionTurn turn = this.turns.compute(key, (same, there) -> SessionTurn.entered(there));
		try {
			return holding(turn.permit(), System.nanoTime(), () -> run(attempt));
		}
		finally {
			this.turns.computeIfPresent(key, (same, there) -> there.left());
		}
	}

	/** Writes; an attempt that meets a locked row is repeated until the time is over. */
	<T> T run(Supplier<T> attempt) {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			return attempt.get();
		}
		long since = System.nanoTime();
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
	 * Whose turn it is to write to a session.
	 *
	 * @param permit held by the one whose turn it is
	 * @param writers how many there are, waiting ones too
	 */
	private record SessionTurn(Semaphore permit, int writers) {

		static SessionTurn entered(@Nullable SessionTurn there) {
			return (there != null) ? new SessionTurn(there.permit, there.writers + 1)
					: new SessionTurn(new Semaphore(1, true), 1);
		}

		@Nullable SessionTurn left() {
			return (this.writers > 1) ? new SessionTurn(this.permit, this.writers - 1) : null;
		}

	}

}
