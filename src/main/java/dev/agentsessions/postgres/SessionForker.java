package dev.agentsessions.postgres;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Fork;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.History;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.PastSession;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.state.StateDelta;

/**
 * Copies a session in one transaction. What is copied never changes, so the source is not
 * locked while it is read. Only at the end its row is: if it is there still, nobody had
 * begun to remove it, and so all was there; and whoever removes it, or erases the user,
 * comes behind the fork. Forks take turns: a replica keeps one connection busy with them,
 * however large they are.
 */
@Component
class SessionForker {

	/** Whose turn it is to fork. */
	private static final UUID TURN = new UUID(0, 0);

	/** An event counts as its body and so many bytes more. */
	private static final int BYTES_OF_EVENT = 1000;

	private static final String SIZE = "select coalesce(sum(size + " + BYTES_OF_EVENT
			+ "::bigint), 0) from events where session_key = ? and seq <= ?";

	private static final String COPY_EVENTS = """
			insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
			select ?, seq, id, ?::timestamptz + seq * interval '1 microsecond', time, author, invocation_id, size, body
			from events where session_key = ? and seq <= ? order by seq
			""";

	private static final String COPY_INITIAL_STATE = """
			insert into initial_state (session_key, key, value)
			select ?, key, value from initial_state where session_key = ? order by key
			""";

	private static final String LOCK_SOURCE = """
			select session_key from sessions where session_key = ? and create_time = ?
			  and (expire_time is null or expire_time > statement_timestamp()) for key share
			""";

	/** So long, it waits for somebody who has locked the source. */
	private static final String LOCK_TIMEOUT = "5s";

	private final Transactions transactions;

	private final SessionRemover remover;

	private final SessionRepository sessions;

	private final AppendDiagnosis diagnosis;

	private final ImportStatements statements;

	private final StateWriter stateWriter;

	private final NotesCopy notes;

	private final SessionReader reader;

	private final JdbcTemplate jdbc;

	private final long limit;

	SessionForker(Transactions transactions, SessionRemover remover, SessionRepository sessions,
			AppendDiagnosis diagnosis, ImportStatements statements, StateWriter stateWriter, NotesCopy notes,
			SessionReader reader, JdbcTemplate jdbc, LimitProperties limits) {
		this.transactions = transactions;
		this.remover = remover;
		this.sessions = sessions;
		this.diagnosis = diagnosis;
		this.statements = statements;
		this.stateWriter = stateWriter;
		this.notes = notes;
		this.reader = reader;
		this.jdbc = jdbc;
		this.limit = limits.forkSize().toBytes();
	}

	/**
	 * Forks a session.
	 * @return the new one; it is read with the rest of it, as somebody may delete it at
	 * once
	 */
	Session fork(Fork fork, EventWindow window) {
		return this.remover.makingRoom(ScopeKey.of(fork.target()), () -> this.transactions.write(TURN, () -> {
			Instant createTime = copy(fork);
			Session copied = this.reader.find(fork.target(), window).orElseThrow(SessionException.NotFound::new);
			lockSource(fork, createTime);
			return copied;
		}));
	}

	/**
	 * Copies all there is.
	 * @return the create time of the source
	 */
	private Instant copy(Fork fork) {
		UUID source = ScopeKey.of(fork.source());
		UUID target = ScopeKey.of(fork.target());
		SessionEntity found = this.sessions.find(source).orElseThrow(SessionException.NotFound::new);
		Session today = today(fork, found);
		Session origin = (fork.origin() != null) ? fork.origin() : today;
		if (!found.version().createTime().equals(origin.createTime())) {
			throw new SessionException.NotFound();
		}
		this.diagnosis.check(source, today.version(), today.lastUpdateTime(), fork.precondition());
		checkSize(source, origin.revision());
		Instant now = this.sessions.now().truncatedTo(ChronoUnit.MICROS);
		SessionDetails details = today.details().with(fork.details().at(now));
		if (!this.statements.insert(row(fork, origin.revision(), now, details, found.isInitialStateKept()))) {
			throw new SessionException.AlreadyExists(fork.target().sessionId());
		}
		copyEvents(source, target, origin.revision(), now);
		this.jdbc.update(COPY_INITIAL_STATE, target, source);
		this.notes.copy(source, target, origin.revision());
		this.stateWriter.upsert(StateRow.of(fork.target(), new StateDelta(PastSession.ownState(origin))));
		return origin.createTime();
	}

	/** What is copied as it is has to be of one moment: that of the precondition. */
	private Session today(Fork fork, SessionEntity found) {
		return (fork.origin() != null) ? found.toSession(Map.of(), History.EMPTY)
				: this.reader.find(fork.source(), EventWindow.NONE).orElseThrow(SessionException.NotFound::new);
	}

	/** Some are missing if somebody is removing them. */
	private void copyEvents(UUID source, UUID target, long revision, Instant now) {
		int copied = this.jdbc.update(COPY_EVENTS,
				(statement) -> new Parameters(statement).add(target).add(now).add(source).add(Long.valueOf(revision)));
		if (copied != revision) {
			throw new SessionException.NotFound();
		}
	}

	/**
	 * Who waits here holds nothing that others want, and would have to copy all again; so
	 * it waits longer than others do.
	 */
	private void lockSource(Fork fork, Instant createTime) {
		this.jdbc.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
		List<Integer> found = this.jdbc.query(LOCK_SOURCE,
				(statement) -> new Parameters(statement).add(ScopeKey.of(fork.source())).add(createTime),
				(row, number) -> number);
		if (found.isEmpty()) {
			throw new SessionException.NotFound();
		}
	}

	/**
	 * Refuses what is too large to be copied.
	 * @param seq the last event that would be
	 */
	void checkSize(UUID source, long seq) {
		Long size = this.jdbc.queryForObject(SIZE, Long.class, source, seq);
		if (size != null && size > this.limit) {
			throw new SessionException.TooLarge("The history up to there", this.limit, "bytes",
					"agent-sessions.limits.fork-size");
		}
	}

	/**
	 * Its events count as committed one microsecond after the other, as at a creation.
	 */
	private static ImportedSession row(Fork fork, long revision, Instant now, SessionDetails details, boolean kept) {
		return new ImportedSession(fork.target(), new SessionVersion(revision, now, 0),
				now.plus(revision, ChronoUnit.MICROS), details, kept,
				new ForkedFrom(fork.source().sessionId(), revision));
	}

}
