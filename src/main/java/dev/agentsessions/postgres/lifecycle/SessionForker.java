package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.session.PendingCallStatements;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionReader;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;

/**
 * Copies a session under a new key, in transactions of bounded size. It locks nothing of
 * the source. The first transaction copies what others change, the state and the
 * artifacts, from one snapshot. Stored events do not change, and they are removed only
 * after the row of their session. So the last transaction, which inserts the row of the
 * copy, checks whether the row of the source still exists. If it does, all events were
 * copied.
 */
@Component
class SessionForker {

	private static final String COPY_STATE = """
			insert into state (scope_key, key, value)
			select ?, key, value from state where scope_key = ? order by key
			""";

	private static final int MAX_ATTEMPTS = 5;

	private final SessionKeys keys;

	private final Transactions transactions;

	private final Lanes lanes;

	private final SessionRepository sessions;

	private final PreconditionChecker preconditions;

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final SessionInsert insert;

	private final StateWriter stateWriter;

	private final PendingCallStatements pending;

	private final SessionReader reader;

	private final EventCopyStatements events;

	private final OwnedTables tables;

	private final ArtifactHistory artifacts;

	private final JdbcTemplate jdbc;

	SessionForker(SessionKeys keys, Transactions transactions, Lanes lanes, SessionRepository sessions,
			PreconditionChecker preconditions, KeysToSweep keysToSweep, KeySweeper sweeper, SessionInsert insert,
			StateWriter stateWriter, PendingCallStatements pending, SessionReader reader, EventCopyStatements events,
			OwnedTables tables, ArtifactHistory artifacts, JdbcTemplate jdbc) {
		this.tables = tables;
		this.artifacts = artifacts;
		this.keys = keys;
		this.transactions = transactions;
		this.lanes = lanes;
		this.sessions = sessions;
		this.preconditions = preconditions;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.insert = insert;
		this.stateWriter = stateWriter;
		this.pending = pending;
		this.reader = reader;
		this.events = events;
		this.jdbc = jdbc;
	}

	/**
	 * Forks a session.
	 * @param source the key of the session that is copied
	 * @param window the events to return with the new session
	 * @return the new session
	 * @throws SessionException.NotFound if the source does not exist or is removed
	 * meanwhile
	 * @throws SessionException.AlreadyExists if there is a session with the new name
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	Session fork(ForkPlan fork, UUID source, EventWindow window) {
		if (fork.origin() != null && !fork.origin().sessionKey().equals(source)) {
			throw new SessionException.NotFound();
		}
		if (isTaken(fork.target())) {
			throw new SessionException.AlreadyExists(fork.target().sessionId());
		}
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			try {
				return forkOnce(fork, source, window);
			}
			catch (ImportConflictException ex) {
				// An erasure has stopped the fork, but the source may be younger
			}
		}
		throw new SessionException.Unavailable("The user is erased again and again. Please retry.");
	}

	private Session forkOnce(ForkPlan fork, UUID source, EventWindow window) {
		UUID target = this.transactions.write(() -> this.keysToSweep.begin(ScopeKey.of(fork.target().user())));
		try {
			return copy(source, copyWhatChanges(fork, source, target), window);
		}
		catch (RuntimeException | Error ex) {
			this.sweeper.giveUp(target);
			throw ex;
		}
	}

	private boolean isTaken(SessionName name) {
		return this.keys.read(name, (key) -> this.transactions.statement(() -> this.sessions.find(key))).isPresent();
	}

	/**
	 * Copies the state and the artifacts.
	 * @return the row of the copy, which the last transaction inserts
	 */
	private SessionRow copyWhatChanges(ForkPlan fork, UUID source, UUID target) {
		return this.lanes.heavy().run(() -> this.transactions.writeFromSnapshot(() -> {
			this.keysToSweep.extend(target);
			SessionEntity today = this.sessions.find(source).orElseThrow(SessionException.NotFound::new);
			this.preconditions.check(today, fork.precondition());
			Session origin = fork.origin();
			UUID user = ScopeKey.of(fork.target().user());
			if (origin != null) {
				this.stateWriter.upsert(StateRow.ofSession(target, PastSession.ownState(origin)));
				this.artifacts.copy(user, source, target, origin.revision());
				return row(fork, today, origin.revision(), target);
			}
			this.jdbc.update(COPY_STATE, target, source);
			// The newest state has the versions that no event follows, too
			this.artifacts.copy(user, source, target, Long.MAX_VALUE);
			return row(fork, today, today.version().revision(), target);
		}));
	}

	private SessionRow row(ForkPlan fork, SessionEntity today, long revision, UUID target) {
		Instant now = this.sessions.now();
		return SessionRow.createdAt(now, target, fork.target(), revision, today.details().with(fork.details().at(now)),
				new ForkedFrom(fork.source().sessionId(), revision), fork.creation());
	}

	/**
	 * Copies events batch by batch, and what else does not change with the last batch.
	 */
	private Session copy(UUID source, SessionRow row, EventWindow window) {
		long copied = 0;
		long last = lastOfBatch(source, row, copied);
		while (last < row.revision()) {
			copyBatch(source, row, copied, last);
			copied = last;
			last = lastOfBatch(source, row, copied);
		}
		return finish(source, row, copied, window);
	}

	private long lastOfBatch(UUID source, SessionRow row, long after) {
		return this.lanes.heavy()
			.run(() -> this.transactions.statement(() -> this.events.lastOfBatch(source, after, row.revision())));
	}

	private void copyBatch(UUID source, SessionRow row, long after, long last) {
		this.lanes.heavy().run(() -> this.transactions.write(() -> {
			this.keysToSweep.extend(row.sessionKey());
			this.events.copy(source, row, after, last);
			return true;
		}));
	}

	/**
	 * Copies the rest and inserts the row of the copy. Looks up the source last: if its
	 * row still exists, everything was copied. The key is released before that, because
	 * an erasure removes the source and then waits for the keys of its user.
	 */
	private Session finish(UUID source, SessionRow row, long copied, EventWindow window) {
		return this.lanes.heavy().run(() -> this.transactions.write(() -> {
			this.keysToSweep.release(row.sessionKey());
			this.insert.insert(row);
			this.events.copy(source, row, copied, row.revision());
			this.tables.fork(ScopeKey.of(row.name().user()), source, row.sessionKey());
			this.pending.copy(source, row.sessionKey(), row.revision());
			this.sessions.find(source).orElseThrow(SessionException.NotFound::new);
			return this.reader.find(row.name(), row.sessionKey(), window).orElseThrow(SessionException.NotFound::new);
		}));
	}

}
