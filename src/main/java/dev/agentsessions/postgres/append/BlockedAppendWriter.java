package dev.agentsessions.postgres.append;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.RowLockedException;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/**
 * Tries the appends that wait for rows that somebody holds: one at a time, for a moment,
 * those of each row in turn. What is free again goes back to the others.
 */
final class BlockedAppendWriter {

	private static final Logger logger = LoggerFactory.getLogger(BlockedAppendWriter.class);

	private final AppendQueue queue;

	private final BlockedAppends locked;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final DatabaseTimeouts timeouts;

	private final AppendMetrics metrics;

	BlockedAppendWriter(AppendQueue queue, BlockedAppends locked, AppendStatement statement,
			LockedRowsStatement lockedRows, DatabaseTimeouts timeouts, AppendMetrics metrics) {
		this.queue = queue;
		this.locked = locked;
		this.statement = statement;
		this.lockedRows = lockedRows;
		this.timeouts = timeouts;
		this.metrics = metrics;
	}

	void tryNext() throws InterruptedException {
		Set<RowKey> held = held(this.locked.awaitRows());
		this.queue.putBack(this.locked.release(held, (append) -> append.isOver(this.timeouts, Transactions.TOO_SLOW)));
		BlockedAppends.Turn turn = this.locked.next();
		if (turn != null) {
			store(turn);
		}
	}

	/** If nobody can tell, the attempt will. */
	private Set<RowKey> held(Collection<RowKey> rows) {
		try {
			return this.lockedRows.execute(rows);
		}
		catch (SessionException.Unavailable ex) {
			return Set.copyOf(rows);
		}
	}

	private void store(BlockedAppends.Turn turn) {
		QueuedAppend append = turn.append();
		try {
			Optional<AppendResult> stored = this.statement.executeAlone(List.of(append)).get(0);
			this.metrics.added(stored.isPresent() ? 1 : 0);
			append.stored().complete(stored);
		}
		catch (RowLockedException ex) {
			this.locked.putBack(turn);
		}
		catch (SessionException.Unavailable ex) {
			append.fail(ex);
		}
		catch (RuntimeException | Error ex) {
			append.leaveAlone();
			logger.debug("Storing an append alone, because it failed", ex);
		}
	}

}
