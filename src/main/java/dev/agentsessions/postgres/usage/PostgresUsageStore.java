package dev.agentsessions.postgres.usage;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lanes.Lanes;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.memory.ResponseMemory;
import dev.agentsessions.session.usage.SpentEvent;
import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageStore;

/** Reads events, session by session, until a request has read enough. */
@Component
class PostgresUsageStore implements UsageStore {

	/** One statement reads the bodies of this number of events. */
	static final int MAX_EVENTS_BEFORE = 2000;

	/** Backwards along the primary key, to the first event of another invocation. */
	private static final String BEFORE_INVOCATION = """
			select seq from events where session_key = ? and seq < ? and seq >= ? and invocation_id <> ?
			order by seq desc limit 1
			""";

	/**
	 * No event is expected whose time is later than its storage by more than this.
	 */
	private static final Duration CLOCK_TOLERANCE = Duration.ofDays(1);

	private final SessionKeys keys;

	private final Lanes lanes;

	private final SpendingSessions sessions;

	private final SpentEventsReader reader;

	private final DatabaseTimeouts timeouts;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final ResponseMemory memory;

	PostgresUsageStore(SessionKeys keys, Lanes lanes, SpendingSessions sessions, SpentEventsReader reader,
			DatabaseTimeouts timeouts, Transactions transactions, JdbcTemplate jdbc, ResponseMemory memory) {
		this.keys = keys;
		this.lanes = lanes;
		this.sessions = sessions;
		this.reader = reader;
		this.timeouts = timeouts;
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.memory = memory;
	}

	@Override
	public Optional<End> read(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events) {
		String sessionId = query.sessionId();
		if (sessionId == null || query.userId() == null) {
			return Optional.of(this.lanes.heavy().run(() -> readAll(begin(query, isFull, events))));
		}
		return this.keys.read(new SessionKey(query.appName(), query.userId(), sessionId),
				(key) -> this.lanes.heavy().run(() -> readOne(begin(query, isFull, events), key)));
	}

	/** The wait for a permit is no part of the time that a request may read. */
	private Run begin(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events) {
		return new Run(query, isFull, events, new ReadBudget(this.timeouts));
	}

	private Optional<End> readOne(Run run, UUID key) {
		List<SpendingSession> found = this.sessions.one(key);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		UsagePosition stop = readSessions(found, run.query.after(), run);
		checkIsThere(key);
		return Optional.of(new End(stop, 1));
	}

	/** Events of a deleted session may be gone before they are read. */
	private void checkIsThere(UUID key) {
		if (this.sessions.one(key).isEmpty()) {
			throw new SessionException.Unavailable("The session was removed while it was read. Please retry.");
		}
	}

	private End readAll(Run run) {
		UsagePosition position = run.query.after();
		long before = this.memory.taken();
		while (true) {
			this.memory.backTo(before);
			List<SpendingSession> next = this.sessions.next(run.query, position);
			run.budget.spendSessions(next.size());
			UsagePosition stop = readSessions(next, position, run);
			if (stop != null || next.size() < SpendingSessions.MAX_BATCH_SESSIONS) {
				return new End(stop, run.budget.sessions());
			}
			SpendingSession last = next.get(next.size() - 1);
			position = new UsagePosition(last.id(), last.key(), last.revision());
			if (run.isOver()) {
				return new End(position, run.budget.sessions());
			}
		}
	}

	/** Returns where it stopped; {@code null} if it has read all of the sessions. */
	private @Nullable UsagePosition readSessions(List<SpendingSession> sessions, @Nullable UsagePosition position,
			Run run) {
		return read(
				sessions.stream().filter(run::mayCount).map((session) -> session.slice(run.query, position)).toList(),
				run);
	}

	private @Nullable UsagePosition read(List<EventSlice> slices, Run run) {
		Deque<EventSlice> left = new ArrayDeque<>(slices.stream().filter((slice) -> slice.events() > 0).toList());
		while (!left.isEmpty()) {
			if (run.isOver()) {
				return left.element().begin();
			}
			left = this.reader.readNext(left, run.query, run.budget, run.events);
		}
		return null;
	}

	@Override
	public boolean readBefore(SessionKey session, long seq, String invocationId, Consumer<SpentEvent> events) {
		UsageQuery query = UsageQuery.ofSession(session);
		return this.keys
			.read(session,
					(key) -> this.lanes.heavy()
						.run(() -> readBefore(begin(query, () -> false, events), key, seq, invocationId)))
			.orElse(false);
	}

	private Optional<Boolean> readBefore(Run run, UUID key, long seq, String invocationId) {
		List<SpendingSession> found = this.sessions.one(key);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		long before = beforeInvocation(key, seq, invocationId);
		if (seq - 1 - before > MAX_EVENTS_BEFORE) {
			return Optional.of(false);
		}
		boolean complete = read(List.of(new EventSlice(found.get(0), before, seq - 1)), run) == null;
		checkIsThere(key);
		return Optional.of(complete);
	}

	/**
	 * Returns the seq before the first event of the invocation; 0 if that is too far
	 * away.
	 */
	private long beforeInvocation(UUID key, long seq, String invocationId) {
		return this.transactions
			.statement(() -> this.jdbc.queryForList(BEFORE_INVOCATION, Long.class, key, seq,
					seq - 1 - MAX_EVENTS_BEFORE, invocationId))
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/**
	 * A request.
	 *
	 * @param query which events it reads
	 * @param isFull whether the caller wants no further events
	 * @param events gets the events
	 * @param budget what it may still read
	 */
	private record Run(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events, ReadBudget budget) {

		boolean isOver() {
			return this.budget.isSpent() || this.isFull.getAsBoolean();
		}

		/**
		 * Returns whether a session may have events in the range. The clock of a sender
		 * may be ahead.
		 */
		boolean mayCount(SpendingSession session) {
			return this.query.from() == null
					|| session.lastUpdateTime().plus(CLOCK_TOLERANCE).isAfter(this.query.from());
		}

	}

}
