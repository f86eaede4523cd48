package dev.agentsessions.postgres.removal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.transfer.ImportConflictException;

/**
 * The table {@code keys_to_sweep}: keys under which there are rows of no session. Either
 * the session is gone, or it is not there yet, because an import or a fork still writes.
 * No read finds such rows, as each goes through the table {@code sessions}.
 *
 * <p>
 * {@code since} is the time from which on nothing writes under the key. It lies ahead
 * while an import or a fork writes, and is moved on by each of its transactions; so the
 * sweep never meets a writer, and a writer that comes too late has to give up.
 */
@Component
public class KeysToSweep {

	/** How long an import or a fork may pause between two transactions. */
	private static final String PAUSE = "interval '1 hour'";

	private static final String IS_WRITTEN = " and since > statement_timestamp()";

	private static final String IS_DUE = " and since <= statement_timestamp()";

	private static final String ADD = """
			insert into keys_to_sweep (session_key, user_key, since) values (?, ?, statement_timestamp())
			""";

	private static final String BEGIN = "insert into keys_to_sweep (session_key, user_key, since) "
			+ "values (?, ?, statement_timestamp() + " + PAUSE + ")";

	private static final String EXTEND = "update keys_to_sweep set since = statement_timestamp() + " + PAUSE
			+ " where session_key = ?" + IS_WRITTEN;

	private static final String RELEASE = "delete from keys_to_sweep where session_key = ?" + IS_WRITTEN;

	private static final String GIVE_UP = "update keys_to_sweep set since = statement_timestamp() where %s = ?"
			+ IS_WRITTEN;

	private static final String GIVE_UP_ONE = GIVE_UP.formatted("session_key");

	private static final String GIVE_UP_OF_USER = GIVE_UP.formatted("user_key");

	private static final String OF_USER = "select session_key from keys_to_sweep where user_key = ?"
			+ " order by session_key limit ?";

	private static final String DUE = "select session_key from keys_to_sweep where session_key > ?" + IS_DUE
			+ " order by session_key limit ?";

	private static final String LOCK_DUE = "select session_key from keys_to_sweep where session_key = any (?)" + IS_DUE
			+ " order by session_key for update";

	private static final String LOCK_DUE_AND_FREE = LOCK_DUE + " skip locked";

	private static final String DELETE = "delete from keys_to_sweep where session_key = any (?)";

	private static final int ROWS_OF_BATCH = 100;

	private final JdbcTemplate jdbc;

	KeysToSweep(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds sessions, within the transaction that has deleted their rows. */
	void add(List<RemovedSession> removed) {
		this.jdbc.batchUpdate(ADD, removed, ROWS_OF_BATCH, (statement,
				session) -> new StatementParameters(statement).add(session.sessionKey).add(session.userKey));
	}

	/**
	 * Takes a key for a session that an import or a fork is about to write, in a
	 * transaction of its own that comes before all others.
	 * @param userKey the user whose session it will be
	 */
	public UUID begin(UUID userKey) {
		UUID key = SessionRow.newKey();
		this.jdbc.update(BEGIN, key, userKey);
		return key;
	}

	/**
	 * Goes on to write under a key, within the transaction that writes.
	 * @throws ImportConflictException if the sweep or an erasure has taken the key
	 */
	public void extend(UUID key) {
		check(this.jdbc.update(EXTEND, key));
	}

	/**
	 * Ends to write under a key, within the transaction that inserts the session. Its
	 * first statement has to be this one: an erasure waits here for the session that it
	 * has to find.
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

	/** Leaves what was written under a key to the sweep. */
	void giveUp(UUID key) {
		this.jdbc.update(GIVE_UP_ONE, key);
	}

	/** Leaves what imports and forks have written for a user to the sweep. */
	void giveUpOfUser(UUID userKey) {
		this.jdbc.update(GIVE_UP_OF_USER, userKey);
	}

	/** Keys of a user, at most as many as a limit says. */
	List<UUID> ofUser(UUID userKey, int limit) {
		return this.jdbc.query(OF_USER, KeysToSweep::key, userKey, limit);
	}

	/** Keys that follow another one and whose rows may be removed. */
	List<UUID> due(UUID after, int limit) {
		return this.jdbc.query(DUE, KeysToSweep::key, after, limit);
	}

	/** Locks those of some keys whose rows may be removed. */
	List<UUID> lockDue(Collection<UUID> keys) {
		return keys(LOCK_DUE, keys);
	}

	/** The same, but for those that another sweep has locked. */
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

	/** Deletes keys under which there is nothing any more. */
	void delete(Collection<UUID> keys) {
		if (!keys.isEmpty()) {
			this.jdbc.update(DELETE, (statement) -> new StatementParameters(statement).add("uuid", keys.toArray()));
		}
	}

	/**
	 * A session whose row was deleted.
	 *
	 * @param sessionKey its key
	 * @param nameKey what it was found by
	 * @param userKey its user
	 */
	record RemovedSession(UUID sessionKey, UUID nameKey, UUID userKey) {
	}

}
