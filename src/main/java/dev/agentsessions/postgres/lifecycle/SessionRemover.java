package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lifecycle.KeysToSweep.RemovedSession;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionNames;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;

/**
 * Removes sessions. One short transaction deletes their rows in {@code sessions}, however
 * large the sessions are. After its commit they are gone, and their names are free. It
 * adds their keys to {@link KeysToSweep}, and {@link KeySweeper} deletes the rows under
 * these keys afterwards.
 */
@Component
public class SessionRemover {

	private static final String LOCK = "select session_key from sessions where session_key = any (?)"
			+ " order by session_key for update";

	private static final String LOCK_EXPIRED = "select session_key from sessions where session_key = any (?)"
			+ " and expire_time <= statement_timestamp() order by session_key for update skip locked";

	private static final String RETURNING = " returning session_key, name_key, user_key";

	private static final String DELETE = "delete from sessions where session_key = any (?)" + RETURNING;

	private static final String DELETE_EXPIRED = "delete from sessions where session_key = ?"
			+ " and expire_time <= statement_timestamp()" + RETURNING;

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final PreconditionChecker preconditions;

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final SessionNames names;

	private final Placement placement;

	SessionRemover(JdbcTemplate jdbc, Transactions transactions, SessionRepository sessions,
			PreconditionChecker preconditions, KeysToSweep keysToSweep, KeySweeper sweeper, SessionNames names,
			Placement placement) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.sessions = sessions;
		this.preconditions = preconditions;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.names = names;
		this.placement = placement;
	}

	/**
	 * Removes a session.
	 * @return whether it was there
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public boolean remove(UUID sessionKey, Precondition precondition) {
		List<UUID> removed = this.transactions.write(sessionKey, () -> {
			if (!precondition.equals(Precondition.NONE)) {
				this.sessions.findForUpdate(sessionKey)
					.ifPresent((session) -> this.preconditions.check(session, precondition));
			}
			return delete(List.of(sessionKey));
		});
		this.sweeper.trySweep(removed);
		return !removed.isEmpty();
	}

	/**
	 * Removes sessions with all their rows, whether they have expired or not. Waits until
	 * all rows are deleted.
	 * @return the number of removed sessions and events
	 */
	Erasure removeAll(Collection<UUID> sessionKeys) {
		if (sessionKeys.isEmpty()) {
			return Erasure.NOTHING;
		}
		List<UUID> removed = deleteAll(LOCK, sessionKeys);
		return new Erasure(removed.size(), this.sweeper.sweep(removed), 0);
	}

	/**
	 * Removes those of some sessions that have expired and that no other transaction has
	 * locked.
	 * @return the number of removed sessions
	 */
	int removeExpired(Collection<UUID> sessionKeys) {
		List<UUID> removed = deleteAll(LOCK_EXPIRED, sessionKeys);
		this.sweeper.trySweep(removed);
		return removed.size();
	}

	/**
	 * Removes the session with a name if it has expired, within a transaction of the
	 * caller. The sweep deletes its other rows.
	 */
	public void removeExpired(UUID nameKey) {
		this.names.find(nameKey)
			.ifPresent((key) -> added(this.jdbc.query(DELETE_EXPIRED, SessionRemover::removed, key)));
	}

	/**
	 * Deletes in one transaction, or in one for each session where each may be on another
	 * machine.
	 */
	private List<UUID> deleteAll(String lock, Collection<UUID> sessionKeys) {
		return this.placement.parts(List.copyOf(sessionKeys))
			.flatMap((part) -> this.transactions.write(() -> deleteRows(lock, part)).stream())
			.toList();
	}

	/** Locks rows in the order of their keys, and deletes the locked ones. */
	private List<UUID> deleteRows(String lock, Collection<UUID> sessionKeys) {
		List<UUID> locked = this.jdbc.query(lock,
				(statement) -> new StatementParameters(statement).add("uuid", sessionKeys.toArray()),
				(row, number) -> row.getObject("session_key", UUID.class));
		return locked.isEmpty() ? locked : delete(locked);
	}

	private List<UUID> delete(List<UUID> sessionKeys) {
		return added(this.jdbc.query(DELETE,
				(statement) -> new StatementParameters(statement).add("uuid", sessionKeys.toArray()),
				SessionRemover::removed));
	}

	private List<UUID> added(List<RemovedSession> removed) {
		this.keysToSweep.add(removed);
		removed.forEach((session) -> this.names.release(session.nameKey(), session.sessionKey()));
		return removed.stream().map(RemovedSession::sessionKey).toList();
	}

	private static RemovedSession removed(ResultSet row, int number) throws SQLException {
		return new RemovedSession(row.getObject("session_key", UUID.class), row.getObject("name_key", UUID.class),
				row.getObject("user_key", UUID.class));
	}

}
