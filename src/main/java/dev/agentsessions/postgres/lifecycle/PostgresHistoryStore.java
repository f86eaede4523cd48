package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.lifecycle.PastStateStatement.PastStateRows;
import dev.agentsessions.postgres.session.EventRepository;
import dev.agentsessions.postgres.session.EventStreamReader;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.InvocationStart;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;
import dev.agentsessions.session.lifecycle.PastSession;

/** Reads sessions at an earlier moment, and forks them. */
@Component
class PostgresHistoryStore implements HistoryService.Store {

	private static final String DIGESTS = """
			select encode(sha256(convert_to(id || ' ' || body::text, 'UTF8')), 'base64') from (
			  select seq, id, body, sum(size) over (order by seq rows unbounded preceding) - size as chars_before
			  from events where session_key = ? and seq > ? order by seq limit ?) as next
			where chars_before < ? order by seq
			""";

	private static final int MAX_COMPARED_EVENTS = 10_000;

	private static final long MAX_COMPARED_CHARS = 32 << 20;

	private final JdbcTemplate jdbc;

	private final SessionKeys keys;

	private final Lanes lanes;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final EventRepository events;

	private final PastStateStatement statement;

	private final EventStreamReader streams;

	private final PreconditionChecker preconditions;

	private final EventCopyStatements copies;

	private final SessionForker forker;

	private final ArtifactHistory artifacts;

	private final ResponseHeap memory;

	PostgresHistoryStore(JdbcTemplate jdbc, SessionKeys keys, Lanes lanes, Transactions transactions,
			SessionRepository sessions, EventRepository events, PastStateStatement statement, EventStreamReader streams,
			PreconditionChecker preconditions, EventCopyStatements copies, SessionForker forker,
			ArtifactHistory artifacts, ResponseHeap memory) {
		this.jdbc = jdbc;
		this.artifacts = artifacts;
		this.keys = keys;
		this.lanes = lanes;
		this.transactions = transactions;
		this.sessions = sessions;
		this.events = events;
		this.statement = statement;
		this.streams = streams;
		this.preconditions = preconditions;
		this.copies = copies;
		this.forker = forker;
		this.memory = memory;
	}

	@Override
	public Optional<PastSession> find(SessionName name, HistoryPoint point, EventWindow window) {
		return this.keys
			.read(name, (key) -> this.lanes.heavy().run(() -> read((deferFrom) -> past(key, point, deferFrom))))
			.map((past) -> past.toSession(this.streams.read(past.version(), window)));
	}

	@Override
	public String invocation(SessionName name, InvocationStart start) {
		return this.keys.with(name, (key) -> this.transactions.read(() -> {
			SessionEntity session = this.sessions.find(key).orElseThrow(SessionException.NotFound::new);
			long seq = seq(session, start);
			String invocationId = this.events.invocation(key, seq);
			return start.check(seq, invocationId, this.events.firstOf(key, invocationId).orElseThrow());
		}));
	}

	private long seq(SessionEntity session, InvocationStart start) {
		String eventId = start.eventId();
		if (eventId != null) {
			return this.events.seq(session.sessionKey(), eventId).orElseThrow(SessionException.EventNotFound::new);
		}
		return start.checkSeq(session.version().revision());
	}

	@Override
	public void check(SessionName name, Precondition precondition) {
		this.keys.with(name, (key) -> this.transactions.read(() -> {
			SessionEntity session = this.sessions.find(key).orElseThrow(SessionException.NotFound::new);
			this.preconditions.checkAppend(session, precondition);
			return true;
		}));
	}

	@Override
	public void check(ForkRequest request) {
		this.keys.with(request.source(), (key) -> this.transactions.read(() -> {
			SessionEntity source = this.sessions.find(key).orElseThrow(SessionException.NotFound::new);
			this.preconditions.check(source, request.precondition());
			this.copies.checkSize(key, seq(source, request.point()));
			return true;
		}));
	}

	@Override
	public Session fork(ForkPlan fork, EventWindow window) {
		return this.keys.with(fork.source(), (key) -> this.forker.fork(fork, key, window));
	}

	@Override
	public RestoredArtifacts artifactsChangedSince(Session session, long seq) {
		return this.transactions
			.statement(() -> this.artifacts.changed(ScopeKey.of(session.name().user()), session.sessionKey(), seq));
	}

	@Override
	public List<String> digests(Session session, long after) {
		return this.keys
			.read(session.name(),
					(key) -> key.equals(session.sessionKey()) ? Optional.of(digests(key, after)) : Optional.empty())
			.filter((digests) -> !digests.isEmpty())
			.orElseThrow(SessionException.NotFound::new);
	}

	private List<String> digests(UUID key, long after) {
		return this.lanes.heavy()
			.run(() -> this.transactions.statement(() -> this.jdbc.queryForList(DIGESTS, String.class, key, after,
					MAX_COMPARED_EVENTS, MAX_COMPARED_CHARS)));
	}

	@Override
	public void confirmReads(SessionName name) {
		this.transactions.confirmReads();
	}

	/** Reads a past session; a large state is deferred until there is memory for it. */
	private Optional<Past> read(LongFunction<Optional<Past>> attempt) {
		Optional<Past> first = read(attempt, HeapBoundedReads.DEFER_FROM_BYTES);
		if (first.isEmpty() || !first.get().state().hasDeferred()) {
			first.ifPresent((past) -> this.memory.count(past.state().size()));
			return first;
		}
		this.memory.take(first.get().state().size());
		return read(attempt, Long.MAX_VALUE);
	}

	private Optional<Past> read(LongFunction<Optional<Past>> attempt, long deferFrom) {
		return this.transactions.read(() -> CountingJdbcTemplate.uncounted(() -> attempt.apply(deferFrom)));
	}

	private Optional<Past> past(UUID key, HistoryPoint point, long deferFrom) {
		return this.sessions.find(key).map((session) -> {
			long seq = seq(session, point);
			return new Past(session, session.version().at(seq, commitTime(session, seq)),
					this.statement.execute(session.sessionKey(), seq, deferFrom));
		});
	}

	private long seq(SessionEntity session, HistoryPoint point) {
		String invocationId = point.beforeInvocationId();
		if (invocationId != null) {
			return this.events.firstOf(session.sessionKey(), invocationId)
				.orElseThrow(() -> new SessionException.InvocationNotFound(invocationId)) - 1;
		}
		long newest = session.version().revision();
		Long seq = point.seq();
		return (seq != null) ? HistoryPoint.checkSeq("atSeq", seq, newest) : newest;
	}

	private Instant commitTime(SessionEntity session, long seq) {
		return (seq == 0) ? session.createTime() : this.events.commitTime(session.sessionKey(), seq);
	}

	/**
	 * A session at an earlier moment, without its events.
	 *
	 * @param session its row now
	 * @param version its version then
	 * @param state its state then
	 */
	private record Past(SessionEntity session, SessionVersion version, PastStateRows state) {

		PastSession toSession(EventStream events) {
			Session today = this.session.toSession(this.state.state(), events);
			Session then = new Session(today.name(), today.state(), events, this.version, today.createTime(),
					today.details(), today.forkedFrom());
			return new PastSession(then, this.state.sources());
		}

	}

}
