package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;

/**
 * The table {@code keys_to_sweep}: keys that have rows, but no session. Either the
 * session was removed, or an import or a fork still writes it. No read finds such rows,
 * because each read goes through the table {@code sessions}.
 *
 * <p>
 * {@code since} is the time from which on nothing writes under the key. While an import
 * or a fork writes, it is in the future, and each of its transactions moves it. So the
 * sweep never removes rows that are being written, and a writer that is too late has to
 * give up.
 */
@Component
public class KeysToSweep {

	/** How long an import or a fork may pause between two transactions. */
	private static final String PAUSE = "interval '1 hour'";

	private static final String IS_WRITTEN = " and since > statement_timestamp()";

	private static final String IS_DUE = " and since <= statement_timestamp()";

	/** The key may be there if its session has come from another server meanwhile. */
	private static final String ADD = """
			insert into keys_to_sweep (session_key, user_key, since) values (?, ?, statement_timestamp())
			on conflict (session_key) do update set user_key = excluded.user_key, since = excluded.since
			""";

	private static final String BEGIN = "insert into keys_to_sweep (session_key, user_key, since) "
			+ "values (?, ?, statement_timestamp() + " + PAUSE + ")";

	/** Another replica may have found the same rows. */
	private static final String ADD_LATER = BEGIN + " on conflict do nothing";

	private static final String EXTEND = "update keys_to_sweep set since = statement_timestamp() + " + PAUSE
			+ " where session_key = ?" + IS_WRITTEN;

	private static final String RELEASE = "delete from keys_to_sweep where session_key = ?" + IS_WRITTEN;

	private static final String GIVE_UP = "update keys_to_sweep set since = statement_timestamp() where %s = ?"
			+ IS_WRITTEN;

	private static final String GIVE_UP_ONE = GIVE_UP.formatted("session_key");

	private static final String GIVE_UP_OF_USER = GIVE_UP.formatted("user_key");

	private static final String OF_USER = "select session_key from keys_to_sweep where user_key = ?"
			+ " order by session_key limit ?";

	/**
	 * Whatever is in this table, no row of a session is deleted. It is no join, which may
	 * compare each row with each.
	 */
	private static final String IS_GONE = IS_DUE
			+ " and (select key.session_key from sessions key where key.session_key = keys_to_sweep.session_key) is null"
			+ " order by session_key";

	private static final String DUE = "select session_key from keys_to_sweep where session_key > ?" + IS_GONE
			+ " limit ?";

	private static final String LOCK_DUE = "select session_key from keys_to_sweep where session_key = any (?)" + IS_GONE
			+ " for update";

	private static final String LOCK_DUE_AND_FREE = LOCK_DUE + " skip locked";

	private static final String DELETE = "delete from keys_to_sweep where session_key = any (?)";

	private static final int MAX_BATCH_ROWS = 100;

	private final JdbcTemplate jdbc;

	KeysToSweep(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Adds the keys of removed sessions, within the transaction that has deleted their
	 * rows.
	 */
	void add(List<RemovedSession> removed) {
		add(ADD, removed);
	}

	/** Adds the keys of rows that were found without a session. */
	void addLater(List<RemovedSession> gone) {
		add(ADD_LATER, gone);
	}

	private void add(String sql, List<RemovedSession> removed) {
		this.jdbc.batchUpdate(sql, removed, MAX_BATCH_ROWS,
				(statement, session) -> new StatementParameters(statement).addAll(session.sessionKey, session.userKey));
	}

	/**
	 * Creates a key for a session that an import or a fork is about to write. It commits
	 * in a transaction of its own, before the others.
	 * @param userKey the user of the session
	 */
	public UUID begin(UUID userKey) {
		UUID key = SessionRow.newKey();
		this.jdbc.update(BEGIN, key, userKey);
		return key;
	}

	/**
	 * Moves the time of a key ahead, within a transaction that writes under it.
	 * @throws ImportConflictException if the sweep or an erasure has taken the key
	 */
	public void extend(UUID key) {
		check(this.jdbc.update(EXTEND, key));
	}

	/**
	 * Deletes a key, within the transaction that inserts the session. It has to be the
	 * first statement of the transaction: an erasure of the user waits for it, and then
	 * finds the session.
	 * @throws ImportConflictException if the sweep or an erasure has taken the key
	 */
	public void release(UUID key) {
		check(this.jdbc.update(RELEASE, key));
	}

	private static void check(int updated) {
		if (updated == 0) {
			throw new ImportConflictException("The user was erased, or nothing came for an hour, "
					+ "while the session was written. Write it again.");
		}
	}

	/**
	 * Stops writers under a key, and leaves its rows to the sweep.
	 * @return how many there were
	 */
	int giveUp(UUID key) {
		return this.jdbc.update(GIVE_UP_ONE, key);
	}

	/**
	 * Stops imports and forks that write for a user, and leaves their rows to the sweep.
	 * @return how many there were
	 */
	int giveUpOfUser(UUID userKey) {
		return this.jdbc.update(GIVE_UP_OF_USER, userKey);
	}

	/** Returns keys of a user, at most {@code limit}. */
	List<UUID> ofUser(UUID userKey, int limit) {
		return this.jdbc.query(OF_USER, KeysToSweep::key, userKey, limit);
	}

	/**
	 * Returns the next keys after a key whose rows may be removed, at most {@code limit}.
	 */
	List<UUID> due(UUID after, int limit) {
		return this.jdbc.query(DUE, KeysToSweep::key, after, limit);
	}

	/** Locks and returns the keys whose rows may be removed. */
	List<UUID> lockDue(Collection<UUID> keys) {
		return keys(LOCK_DUE, keys);
	}

	/**
	 * Locks and returns those of the keys whose rows may be removed and that no other
	 * sweep has locked.
	 */
	List<UUID> lockDueAndFree(Collection<UUID> keys) {
		return keys(LOCK_DUE_AND_FREE, keys);
	}

	private List<UUID> keys(String sql, Collection<UUID> keys) {
		return this.jdbc.query(sql, (statement) -> new StatementParameters(statement).add("uuid", keys.toArray()),
				KeysToSweep::key);
	}

	private static UUID key(ResultSet row, int number) throws SQLException {
		return row.getObject("session_key", UUID.class);
	}

	/** Deletes keys that have no rows any more. */
	void delete(Collection<UUID> keys) {
		if (!keys.isEmpty()) {
			this.jdbc.update(DELETE, (statement) -> new StatementParameters(statement).add("uuid", keys.toArray()));
		}
	}

	/**
	 * A session whose row was deleted.
	 *
	 * @param sessionKey its key
	 * @param nameKey the key of its names
	 * @param userKey the key of its user
	 */
	record RemovedSession(UUID sessionKey, UUID nameKey, UUID userKey) {
	}

}
