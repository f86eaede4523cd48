package dev.agentsessions.postgres.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;

import dev.agentsessions.postgres.Lane;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.event.LockedRowsStatement.RowKey;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/**
 * Takes waiting appends from the queue, one group at a time, and stores them. Also tries
 * the appends whose rows another transaction has locked.
 */
public final class GroupWriter {

	/**
	 * A group takes no more appends once those in it need this memory, in bytes.
	 */
	static final int MAX_GROUP_BYTES = 1 << 20;

	private static final Logger logger = LoggerFactory.getLogger(GroupWriter.class);

	private final AppendQueue queue;

	private final BlockedAppends blocked;

	private final int groupSize;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final Lanes lanes;

	private final AppendMetrics metrics;

	/** Appends that were taken from the queue and are stored after the current group. */
	private final Deque<QueuedAppend> next = new ArrayDeque<>();

	public GroupWriter(AppendQueue queue, BlockedAppends blocked, int groupSize, AppendStatement statement,
			LockedRowsStatement lockedRows, Lanes lanes, AppendMetrics metrics) {
		this.queue = queue;
		this.blocked = blocked;
		this.groupSize = groupSize;
		this.statement = statement;
		this.lockedRows = lockedRows;
		this.lanes = lanes;
		this.metrics = metrics;
	}

	/**
	 * Waits until the queue has an append, and stores it with the others that are
	 * waiting.
	 */
	public void storeNextGroup() throws InterruptedException {
		this.queue.takeInto(this.next, this.groupSize);
		List<QueuedAppend> group = nextGroup();
		if (!group.isEmpty()) {
			store(this.lanes.groups(), group, () -> block(group));
		}
	}

	/**
	 * Waits until an append is blocked, puts those back into the queue whose rows are
	 * free, and tries one of the others, row after row.
	 */
	void storeNextBlocked() throws InterruptedException {
		Set<RowKey> locked = locked(this.blocked.awaitRows());
		this.queue
			.putBack(this.blocked.release(locked, (append) -> append.stored().refuseIfLate(this.lanes.blocked())));
		BlockedAppends.Next next = this.blocked.next();
		if (next != null) {
			store(this.lanes.blocked(), List.of(next.append()), () -> this.blocked.putBack(next));
		}
	}

	/** Treats all rows as locked if the database cannot tell; the attempt shows it. */
	private Set<RowKey> locked(Collection<RowKey> rows) {
		try {
			return this.lanes.blocked().run(() -> this.lockedRows.execute(rows));
		}
		catch (SessionException.Unavailable ex) {
			return Set.copyOf(rows);
		}
	}

	private List<QueuedAppend> nextGroup() {
		try {
			this.next.removeIf(
					(append) -> append.stored().refuseIfLate(this.lanes.groups()) || this.blocked.addIfBlocked(append));
			return compatible();
		}
		catch (RuntimeException | Error ex) {
			this.next.forEach(QueuedAppend::retryAlone);
			this.next.clear();
			throw ex;
		}
	}

	/**
	 * Takes the appends that can be stored in one statement. An append with a
	 * precondition has to be the first of its session, and a session may have each event
	 * id once. The others keep their order.
	 */
	private List<QueuedAppend> compatible() {
		List<QueuedAppend> group = new ArrayList<>();
		List<QueuedAppend> others = new ArrayList<>();
		Set<UUID> sessions = new HashSet<>();
		Set<UUID> postponed = new HashSet<>();
		Set<List<Object>> eventIds = new HashSet<>();
		long bytesLeft = MAX_GROUP_BYTES;
		for (QueuedAppend append : this.next) {
			UUID session = append.sessionKey();
			boolean first = sessions.add(session);
			boolean fits = (first || append.precondition().isNone()) && !postponed.contains(session) && bytesLeft > 0
					&& eventIds.add(List.of(session, append.event().id()));
			(fits ? group : others).add(append);
			bytesLeft -= fits ? append.bytes() : 0;
			if (!fits) {
				postponed.add(session);
			}
		}
		this.next.clear();
		this.next.addAll(others);
		return group;
	}

	private void store(Lane lane, List<QueuedAppend> group, Runnable ifLocked) {
		try {
			storeUnlessLocked(lane, group, ifLocked);
		}
		catch (SessionException.Unavailable ex) {
			group.forEach((append) -> append.fail(ex));
		}
		catch (DuplicateKeyException ex) {
			group.forEach(QueuedAppend::retryAlone);
			logger.debug("Storing {} appends one by one, because an event id is stored already", group.size());
		}
		catch (RuntimeException | Error ex) {
			group.forEach(QueuedAppend::retryAlone);
			logger.warn("Storing {} appends one by one, because together they failed", group.size(), ex);
		}
	}

	private void storeUnlessLocked(Lane lane, List<QueuedAppend> group, Runnable ifLocked) {
		try {
			long start = System.nanoTime();
			List<Optional<AppendResult>> stored = lane.run(() -> this.statement.executeAlone(group));
			this.metrics.stored(group, stored, start);
			complete(group, stored);
		}
		catch (RowLockedException ex) {
			ifLocked.run();
		}
	}

	/**
	 * Appends whose own rows are not locked are tried again with the next group. They
	 * stay before later appends to the same sessions.
	 */
	private void block(List<QueuedAppend> group) {
		Set<RowKey> rows = group.stream().flatMap(QueuedAppend::rows).collect(Collectors.toSet());
		Set<RowKey> locked = this.lanes.groups().run(() -> this.lockedRows.execute(rows));
		logger.debug("Appends wait for {} rows that another transaction has locked", locked.size());
		List<QueuedAppend> free = group.stream()
			.filter((append) -> !this.blocked.addIfBlocked(append, locked))
			.toList();
		new ArrayDeque<>(free).descendingIterator().forEachRemaining(this.next::addFirst);
	}

	private static void complete(List<QueuedAppend> group, List<Optional<AppendResult>> stored) {
		for (int index = 0; index < group.size(); index++) {
			group.get(index).stored().complete(stored.get(index));
		}
	}

}
