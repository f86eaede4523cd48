package dev.agentsessions.postgres.memory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SaidStatements.SaidRow;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession.IndexState;
import dev.agentsessions.postgres.session.EventListReader;
import dev.agentsessions.postgres.session.HistoryEdits;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.heap.ResponseHeap;

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

	/** Nothing of these may be shown yet: all of their events are missing. */
	private static List<IndexedSession> hide(List<IndexedSession> sessions, Set<UUID> hidden) {
		return sessions.stream()
			.map((session) -> hidden.contains(session.key()) ? session.with(IndexState.NOTHING) : session)
			.toList();
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

	/** Indexes a session, part by part. */
	@Component
	static class SessionIndexer {

		/** Maximum number of events in a part. */
		static final int MAX_PART_EVENTS = 200;

		/**
		 * A part with more characters is split with a permit of heavy reads: its words
		 * take about forty times as many bytes.
		 */
		private static final int MAX_LIGHT_CHARS = 1 << 15;

		private final Transactions transactions;

		private final Lanes lanes;

		private final UserSessions sessions;

		private final HistoryEdits edits;

		private final EventListReader reader;

		private final SaidStatements statements;

		private final IndexLocks locks;

		private final Analyses analyses;

		private final ResponseHeap memory;

		SessionIndexer(Transactions transactions, Lanes lanes, UserSessions sessions, HistoryEdits edits,
				EventListReader reader, SaidStatements statements, IndexLocks locks, Analyses analyses,
				ResponseHeap memory) {
			this.transactions = transactions;
			this.lanes = lanes;
			this.sessions = sessions;
			this.edits = edits;
			this.reader = reader;
			this.statements = statements;
			this.locks = locks;
			this.analyses = analyses;
			this.memory = memory;
		}

		/** Whether there is something to index in a session. */
		boolean isBehind(IndexedSession session) {
			return session.isBehind(this.analyses.of(session.appName()).version());
		}

		/**
		 * Indexes the next part of a session that is behind.
		 * @return the session after the part, maybe one that another replica has indexed;
		 * empty if it is gone or has opted out
		 * @throws RowLockedException if another request keeps its index locked
		 */
		Optional<IndexedSession> next(IndexedSession session) {
			try {
				Plan plan = plan(session);
				Part part = read(plan, MAX_LIGHT_CHARS);
				return (part != null) ? store(part)
						: this.lanes.heavy().run(() -> store(Objects.requireNonNull(read(plan, Long.MAX_VALUE))));
			}
			catch (SessionException.NotFound ex) {
				return Optional.empty();
			}
		}

		/** Deletes the rows of a session, unless it may be indexed again by now. */
		void delete(IndexedSession session) {
			this.transactions.onceDerived(() -> {
				this.locks.lock(session.key());
				if (!this.statements.mayIndex(session.key())) {
					this.statements.deleteAll(session.userKey(), session.key());
				}
				return true;
			});
		}

		/** Decides whether the session begins anew, and which of its events are left. */
		private Plan plan(IndexedSession session) {
			IndexState index = session.index();
			TextAnalysis analysis = this.analyses.of(session.appName());
			long lastRewind = this.sessions.lastRewind(session.key(), session.revision());
			boolean rewound = lastRewind > index.checkedSeq() && index.upToSeq() > 0;
			boolean restarts = index.analysis() != analysis.version() || rewound;
			IndexState start = restarts ? index.restarted(analysis.version(), session.revision())
					: index.checked(session.revision());
			BitSet live = (lastRewind > 0) ? this.edits.live(session.key(), session.revision()) : null;
			return new Plan(session, start, restarts, live, analysis);
		}

		/**
		 * Reads a part and splits it into words; {@code null} if it has more characters
		 * than a maximum.
		 */
		private @Nullable Part read(Plan plan, long maxChars) {
			long before = this.memory.taken();
			try {
				IndexedSession session = plan.session;
				EventQuery query = EventQuery.of(false, MAX_PART_EVENTS)
					.ofSession(session.key())
					.between(plan.start.upToSeq(), session.revision() + 1);
				EventPage page = this.reader.chunk(session.key(), query).orElseThrow(SessionException.NotFound::new);
				if (page.items().stream().mapToLong((event) -> event.body().length()).sum() > maxChars) {
					return null;
				}
				List<SaidRow> rows = page.items()
					.stream()
					.filter((event) -> plan.isLive(event.seq()))
					.map((event) -> SaidRow.of(event, plan.analysis))
					.filter((row) -> !row.isSilent())
					.toList();
				return new Part(plan, rows, page.more() ? page.end().seq() : session.revision());
			}
			finally {
				this.memory.backTo(before);
			}
		}

		private Optional<IndexedSession> store(Part part) {
			IndexedSession session = part.plan.session;
			return this.transactions.onceDerived(() -> {
				this.locks.lock(session.key());
				if (!this.statements.mayIndex(session.key())) {
					return Optional.empty();
				}
				IndexState stored = this.statements.state(session.userKey(), session.key());
				return Optional.of(session.with(stored.equals(session.index()) ? write(part) : stored));
			});
		}

		private IndexState write(Part part) {
			IndexedSession session = part.plan.session;
			if (part.plan.restarts) {
				this.statements.delete(session.userKey(), session.key());
			}
			IndexState state = part.state();
			this.statements.insert(session.userKey(), session.key(), part.plan.start.turns() + 1, part.rows);
			this.statements.save(session.userKey(), session.key(), state);
			return state;
		}

		/**
		 * How the next part of a session is indexed.
		 *
		 * @param session the session
		 * @param start the state at the begin of the part
		 * @param restarts whether the rows of the session are deleted first
		 * @param live the events that no rewind takes back; {@code null} for all
		 * @param analysis splits the texts into words
		 */
		private record Plan(IndexedSession session, IndexState start, boolean restarts, @Nullable BitSet live,
				TextAnalysis analysis) {

			boolean isLive(long seq) {
				return this.live == null || this.live.get((int) seq);
			}

		}

		/**
		 * A part of a session, split into words.
		 *
		 * @param plan how it is indexed
		 * @param rows its rows
		 * @param lastSeq the seq up to which the session is indexed then
		 */
		private record Part(Plan plan, List<SaidRow> rows, long lastSeq) {

			IndexState state() {
				return this.plan.start.after(this.lastSeq, this.rows.size(),
						this.rows.stream().mapToLong((row) -> row.words().size()).sum());
			}

		}

	}

}
