package dev.agentsessions.postgres.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.memory.IndexedSession.IndexState;
import dev.agentsessions.session.SessionException;

/**
 * Indexes what the sessions of a user have said since they were last indexed, within
 * bounds.
 */
@Component
class UserIndexer {

	/** A search indexes about this number of events at most. */
	static final int MAX_EVENTS = 2000;

	/** After this time, a search leaves further events to the next one. */
	private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final SessionIndexer indexer;

	private final UserSessions sessions;

	UserIndexer(SessionIndexer indexer, UserSessions sessions) {
		this.indexer = indexer;
		this.sessions = sessions;
	}

	/**
	 * Indexes the sessions, the one with the oldest change first. It then tries sessions
	 * again that other requests keep locked, most probably to index them.
	 * @param behind sessions of one user, the newest first
	 * @return the sessions that a search may show, the newest first
	 */
	List<IndexedSession> index(List<IndexedSession> behind) {
		Budget budget = new Budget();
		List<IndexedSession> indexed = index(behind, budget);
		while (budget.isLeftForLocked()) {
			indexed = index(indexed, budget);
		}
		return hide(indexed, this.sessions.rewound(indexed.stream().filter(IndexedSession::mayShowRewound).toList()));
	}

	/** Whether there is nothing left to index in some sessions. */
	boolean isDone(List<IndexedSession> sessions) {
		return sessions.stream().noneMatch(this.indexer::isBehind);
	}

	private List<IndexedSession> index(List<IndexedSession> behind, Budget budget) {
		List<IndexedSession> indexed = new ArrayList<>();
		for (int next = behind.size() - 1; next >= 0; next--) {
			index(behind.get(next), budget).ifPresent(indexed::add);
		}
		Collections.reverse(indexed);
		return indexed;
	}

	/**
	 * Hides sessions whose index began anew after a search had read their states: the
	 * search may have missed some of their turns.
	 * @param searched sessions of one user, with the states that the search has used
	 */
	List<IndexedSession> hideRestarted(List<IndexedSession> searched) {
		List<IndexedSession> used = searched.stream().filter((session) -> session.index().turns() > 0).toList();
		if (used.isEmpty()) {
			return searched;
		}
		Map<UUID, Boolean> changed = this.sessions.changed(used.get(0).userKey(), used);
		Set<UUID> hidden = this.sessions
			.rewound(used.stream().filter((session) -> Boolean.FALSE.equals(changed.get(session.key()))).toList());
		used.stream().map(IndexedSession::key).filter((key) -> changed.getOrDefault(key, false)).forEach(hidden::add);
		return hide(searched, hidden);
	}

	private static List<IndexedSession> hide(List<IndexedSession> sessions, Set<UUID> hidden) {
		return sessions.stream().map((session) -> hidden.contains(session.key()) ? hidden(session) : session).toList();
	}

	/**
	 * Leaves a session that other requests keep locked, or that cannot be indexed now.
	 */
	private Optional<IndexedSession> index(IndexedSession session, Budget budget) {
		Optional<IndexedSession> current = Optional.of(session);
		try {
			if (session.optedOut()) {
				delete(session, budget);
				return Optional.empty();
			}
			while (current.filter(this.indexer::isBehind).isPresent() && !budget.isSpent()) {
				long missing = current.get().missing();
				current = this.indexer.next(current.get());
				budget.spend(missing - current.map(IndexedSession::missing).orElse(0L));
			}
		}
		catch (RowLockedException ex) {
			budget.locked = true;
		}
		catch (SessionException.Unavailable ex) {
			// The events that are left count as missing
		}
		return current.filter((left) -> !left.optedOut());
	}

	private void delete(IndexedSession session, Budget budget) {
		if (!session.index().isNothing() && !budget.isSpent()) {
			this.indexer.delete(session);
		}
	}

	/** A session of which nothing may be shown yet: all of its events are missing. */
	private static IndexedSession hidden(IndexedSession session) {
		return session.with(IndexState.NOTHING);
	}

	/** The remaining time and number of events. */
	private static final class Budget {

		private final long end = System.nanoTime() + MAX_NANOS;

		private long events = MAX_EVENTS;

		private boolean locked;

		void spend(long indexed) {
			this.events -= Math.max(0, indexed);
		}

		boolean isSpent() {
			return this.events <= 0 || System.nanoTime() - this.end > 0;
		}

		/** Whether a session was locked since the last call, and there is time left. */
		boolean isLeftForLocked() {
			boolean retry = this.locked && !isSpent();
			this.locked = false;
			return retry;
		}

	}

}
