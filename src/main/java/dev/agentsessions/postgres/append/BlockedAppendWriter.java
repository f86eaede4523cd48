package dev.agentsessions.postgres.append;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.lanes.RowLockedException;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lanes.Lanes;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/**
 * Stores the appends whose rows another transaction has locked. It tries one append at a
 * time, row after row, for at most {@link Transactions#LOCK_TIMEOUT}. Appends whose rows
 * are free again go back to the queue.
 */
final class BlockedAppendWriter {

	private static final Logger logger = LoggerFactory.getLogger(BlockedAppendWriter.class);

	private final AppendQueue queue;

	private final BlockedAppends blocked;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final DatabaseTimeouts timeouts;

	private final AppendMetrics metrics;

	BlockedAppendWriter(AppendQueue queue, BlockedAppends blocked, AppendStatement statement,
			LockedRowsStatement lockedRows, DatabaseTimeouts timeouts, AppendMetrics metrics) {
		this.queue = queue;
		this.blocked = blocked;
		this.statement = statement;
		this.lockedRows = lockedRows;
		this.timeouts = timeouts;
		this.metrics = metrics;
	}

	/**
	 * Waits until an append is blocked, releases those whose rows are free, and tries one
	 * of the others.
	 */
	void tryNext() throws InterruptedException {
		Set<RowKey> locked = locked(this.blocked.awaitRows());
		this.queue
			.putBack(this.blocked.release(locked, (append) -> append.failIfOverdue(this.timeouts, Lanes.TOO_SLOW)));
		BlockedAppends.Next next = this.blocked.next();
		if (next != null) {
			store(next);
		}
	}

	/** Treats all rows as locked if the database cannot tell; the attempt shows it. */
	private Set<RowKey> locked(Collection<RowKey> rows) {
		try {
			return this.lockedRows.execute(rows);
		}
		catch (SessionException.Unavailable ex) {
			return Set.copyOf(rows);
		}
	}

	private void store(BlockedAppends.Next next) {
		QueuedAppend append = next.append();
		try {
			Optional<AppendResult> stored = this.statement.executeAlone(List.of(append)).get(0);
			this.metrics.added(stored.isPresent() ? 1 : 0);
			append.stored().complete(stored);
		}
		catch (RowLockedException ex) {
			this.blocked.putBack(next);
		}
		catch (SessionException.Unavailable ex) {
			append.fail(ex);
		}
		catch (RuntimeException | Error ex) {
			append.retryAlone();
			logger.debug("Storing an append alone, because it failed", ex);
		}
	}

}
