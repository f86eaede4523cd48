package dev.agentsessions.postgres.history;

import java.time.Instant;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.lanes.Lanes;
import dev.agentsessions.postgres.manage.SessionInsert;
import dev.agentsessions.postgres.pending.PendingCallStatements;
import dev.agentsessions.postgres.removal.KeySweeper;
import dev.agentsessions.postgres.removal.KeysToSweep;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionReader;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.history.ForkPlan;
import dev.agentsessions.session.history.PastSession;
import dev.agentsessions.session.transfer.ImportConflictException;

/**
 * Copies a session under a new key, in transactions of bounded size. It locks nothing of
 * the source: stored events do not change, and they are removed only after the row of
 * their session. So the last transaction, which inserts the row of the copy, checks
 * whether the row of the source still exists. If it does, all events were copied.
 */
@Component
class SessionForker {

	private static final String COPY_INITIAL_STATE = """
			insert into initial_state (session_key, key, value)
			select ?, key, value from initial_state where session_key = ? order by key
			""";

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

	private final ArtifactHistory artifacts;

	private final JdbcTemplate jdbc;

	SessionForker(SessionKeys keys, Transactions transactions, Lanes lanes, SessionRepository sessions,
			PreconditionChecker preconditions, KeysToSweep keysToSweep, KeySweeper sweeper, SessionInsert insert,
			StateWriter stateWriter, PendingCallStatements pending, SessionReader reader, EventCopyStatements events,
			ArtifactHistory artifacts, JdbcTemplate jdbc) {
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
	 * @throws SessionException.TooLarge if there is more to copy than a fork may
	 */
	Session fork(ForkPlan fork, UUID source, EventWindow window) {
		Session today = this.reader.find(fork.source(), source, EventWindow.NONE)
			.orElseThrow(SessionException.NotFound::new);
		Session origin = (fork.origin() != null) ? fork.origin() : today;
		if (!origin.birth().equals(source)) {
			throw new SessionException.NotFound();
		}
		this.transactions.read(() -> {
			this.preconditions.check(source, today.version(), today.lastUpdateTime(), fork.precondition());
			this.events.checkSize(source, origin.revision());
			return true;
		});
		if (isTaken(fork.target())) {
			throw new SessionException.AlreadyExists(fork.target().sessionId());
		}
		UUID target = this.transactions.write(() -> this.keysToSweep.begin(ScopeKey.of(fork.target().user())));
		try {
			return copy(fork, origin, today.details(), target, window);
		}
		catch (ImportConflictException ex) {
			this.sweeper.giveUp(target);
			throw new SessionException.NotFound();
		}
		catch (RuntimeException | Error ex) {
			this.sweeper.giveUp(target);
			throw ex;
		}
	}

	private boolean isTaken(SessionKey name) {
		return this.keys.read(name, (key) -> this.transactions.statement(() -> this.sessions.find(key))).isPresent();
	}

	/**
	 * Copies events batch by batch, and everything else with the last batch.
	 */
	private Session copy(ForkPlan fork, Session origin, SessionDetails details, UUID target, EventWindow window) {
		Instant now = this.transactions.statement(this.sessions::now);
		SessionRow row = SessionRow.createdAt(now, target, fork.target(), origin.revision(),
				details.with(fork.details().at(now)), new ForkedFrom(fork.source().sessionId(), origin.revision()),
				fork.creation());
		long copied = 0;
		long last = lastOfBatch(origin, copied);
		while (last < origin.revision()) {
			copyBatch(origin, row, copied, last);
			copied = last;
			last = lastOfBatch(origin, copied);
		}
		// A fork of the newest state has the versions that no event follows, too
		long artifactsUntil = (fork.origin() != null) ? origin.revision() : Long.MAX_VALUE;
		return finish(origin, row, copied, artifactsUntil, window);
	}

	private long lastOfBatch(Session origin, long after) {
		return this.lanes.heavy()
			.run(() -> this.transactions
				.statement(() -> this.events.lastOfBatch(origin.birth(), after, origin.revision())));
	}

	private void copyBatch(Session origin, SessionRow row, long after, long last) {
		this.lanes.heavy().run(() -> this.transactions.write(() -> {
			this.keysToSweep.extend(row.sessionKey());
			this.events.copy(origin.birth(), row, after, last);
			return true;
		}));
	}

	/**
	 * Copies the rest and inserts the row of the copy. Looks up the source last: if its
	 * row still exists, everything was copied. The key is released before that, because
	 * an erasure removes the source and then waits for the keys of its user.
	 */
	private Session finish(Session origin, SessionRow row, long copied, long artifactsUntil, EventWindow window) {
		return this.lanes.heavy().run(() -> this.transactions.write(() -> {
			this.keysToSweep.release(row.sessionKey());
			this.insert.insert(row);
			this.events.copy(origin.birth(), row, copied, origin.revision());
			this.jdbc.update(COPY_INITIAL_STATE, row.sessionKey(), origin.birth());
			this.pending.copy(origin.birth(), row.sessionKey(), origin.revision());
			this.stateWriter.upsert(StateRow.ofSession(row.sessionKey(), PastSession.ownState(origin)));
			this.artifacts.copy(ScopeKey.of(row.names().user()), origin.birth(), row.sessionKey(), artifactsUntil);
			this.sessions.find(origin.birth()).orElseThrow(SessionException.NotFound::new);
			return this.reader.find(row.names(), row.sessionKey(), window).orElseThrow(SessionException.NotFound::new);
		}));
	}

}
