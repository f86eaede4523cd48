package dev.agentsessions.postgres.append;

import java.util.ArrayDeque;
import java.util.ArrayList;
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

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.RowLockedException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.AppendResult;

/** Takes waiting appends, a group at a time, and stores them. */
public final class GroupWriter {

	/**
	 * About so many bytes go to the database together, or a single append that has more.
	 */
	static final int GROUP_BYTES = 1 << 20;

	private static final Logger logger = LoggerFactory.getLogger(GroupWriter.class);

	private final AppendQueue queue;

	private final BlockedAppends locked;

	private final int groupSize;

	private final AppendStatement statement;

	private final LockedRowsStatement lockedRows;

	private final DatabaseTimeouts timeouts;

	private final AppendMetrics metrics;

	/** Taken from the queue, but to be stored after the group that is being made. */
	private final Deque<QueuedAppend> next = new ArrayDeque<>();

	public GroupWriter(AppendQueue queue, BlockedAppends locked, int groupSize, AppendStatement statement,
			LockedRowsStatement lockedRows, DatabaseTimeouts timeouts, AppendMetrics metrics) {
		this.queue = queue;
		this.locked = locked;
		this.groupSize = groupSize;
		this.statement = statement;
		this.lockedRows = lockedRows;
		this.timeouts = timeouts;
		this.metrics = metrics;
	}

	/** Waits until an append is there, and stores it with those that wait by then. */
	public void storeNextGroup() throws InterruptedException {
		this.queue.takeInto(this.next, this.groupSize);
		List<QueuedAppend> group = nextGroup();
		if (!group.isEmpty()) {
			store(group);
		}
	}

	private List<QueuedAppend> nextGroup() {
		try {
			this.next
				.removeIf((append) -> append.isOver(this.timeouts, AppendQueue.TOO_MANY) || this.locked.takes(append));
			return compatible();
		}
		catch (RuntimeException | Error ex) {
			this.next.forEach(QueuedAppend::leaveAlone);
			this.next.clear();
			throw ex;
		}
	}

	/**
	 * Takes those that can be stored together: one with a precondition has to be the
	 * first of its session, and no event id may come twice. The others keep their order.
	 */
	private List<QueuedAppend> compatible() {
		List<QueuedAppend> group = new ArrayList<>();
		List<QueuedAppend> others = new ArrayList<>();
		Set<UUID> sessions = new HashSet<>();
		Set<UUID> postponed = new HashSet<>();
		Set<List<Object>> eventIds = new HashSet<>();
		long room = GROUP_BYTES;
		for (QueuedAppend append : this.next) {
			UUID session = append.sessionKey();
			boolean first = sessions.add(session);
			boolean fits = (first || append.precondition().isNone()) && !postponed.contains(session) && room > 0
					&& eventIds.add(List.of(session, append.event().id()));
			(fits ? group : others).add(append);
			room -= fits ? append.bytes() : 0;
			if (!fits) {
				postponed.add(session);
			}
		}
		this.next.clear();
		this.next.addAll(others);
		return group;
	}

	private void store(List<QueuedAppend> group) {
		try {
			storeOrLeaveToLocks(group);
		}
		catch (SessionException.Unavailable ex) {
			group.forEach((append) -> append.fail(ex));
		}
		catch (DuplicateKeyException ex) {
			group.forEach(QueuedAppend::leaveAlone);
			logger.debug("Storing {} appends one by one, because an event id is known already", group.size());
		}
		catch (RuntimeException | Error ex) {
			group.forEach(QueuedAppend::leaveAlone);
			logger.warn("Storing {} appends one by one, because together they failed", group.size(), ex);
		}
	}

	/** Those that met no lock themselves go again, with the next group. */
	private void storeOrLeaveToLocks(List<QueuedAppend> group) {
		try {
			long start = System.nanoTime();
			List<Optional<AppendResult>> stored = this.statement.executeAlone(group);
			this.metrics.stored(group, stored, start);
			complete(group, stored);
		}
		catch (RowLockedException ex) {
			Set<RowKey> held = this.lockedRows
				.execute(group.stream().flatMap(QueuedAppend::rows).collect(Collectors.toSet()));
			logger.debug("Appends wait for {} rows that somebody holds", held.size());
			group.stream().filter((append) -> !this.locked.takes(append, held)).forEach(this.next::add);
		}
	}

	private static void complete(List<QueuedAppend> group, List<Optional<AppendResult>> stored) {
		for (int place = 0; place < group.size(); place++) {
			group.get(place).stored().complete(stored.get(place));
		}
	}

}
