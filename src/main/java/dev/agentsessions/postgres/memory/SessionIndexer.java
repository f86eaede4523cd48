package dev.agentsessions.postgres.memory;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.IndexedSession.IndexState;
import dev.agentsessions.postgres.memory.SaidStatements.SaidRow;
import dev.agentsessions.postgres.session.EventListReader;
import dev.agentsessions.postgres.session.HistoryEdits;
import dev.agentsessions.search.Analyses;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.heap.ResponseHeap;

/** Indexes a session, part by part. */
@Component
class SessionIndexer {

	/** Maximum number of events in a part. */
	static final int MAX_PART_EVENTS = 200;

	/**
	 * A part with more characters is split with a permit of heavy reads: its words take
	 * about forty times as many bytes.
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
	 * Reads a part and splits it into words; {@code null} if it has more characters than
	 * a maximum.
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
