package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * What a transaction that removes sessions consists of. It begins with the lock: what is
 * deleted is looked for by later statements, which see whatever a writer has left that
 * had the lock before.
 */
@Component
class RemovalStatements {

	/**
	 * An event counts as its characters and so many more, for its rows in the table and
	 * in the indexes.
	 */
	static final int WEIGHT_OF_EVENT = 4000;

	/** So many keys of each of a session's states go at once. */
	static final int KEYS_OF_PIECE = 10_000;

	private static final String LOCK = """
			select session_key, revision, create_time = '-infinity' as marked, has_marks
			from sessions where session_key = any (?)""";

	private static final String DELETE_EVENTS = """
			with piece as (
			  delete from events where session_key = ? and seq > ? and seq <= (
			    select max(seq) from (
			      select seq, sum(size + 4000::bigint) over (order by seq) - size - 4000 as before from events
			      where session_key = ? and seq > ? order by seq limit ?) as next
			    where before < ?)
			  returning seq, size)
			select count(*) as events, coalesce(max(seq), 9223372036854775807) as last, sum(size + 4000::bigint) as weight
			from piece
			""";

	/**
	 * What is left of the initial state goes with the row of its session. A piece is all
	 * up to its last key, here and below: if it were a list of keys, PostgreSQL might
	 * compare each row with each of them, as long as it believes the table to be small.
	 */
	private static final String DELETE_STATE = """
			with own as (
			  delete from state where scope_key = ? and key <= (
			    select max(key) from (select key from state where scope_key = ? order by key limit ?) as piece)
			  returning key),
			initial as (
			  delete from initial_state where session_key = ? and key <= (
			    select max(key) from (select key from initial_state where session_key = ? order by key limit ?) as piece)
			  returning key)
			select greatest((select count(*) from own), (select count(*) from initial))
			""";

	private static final String DELETE_MARKS = deletePiece("event_marks", "until_seq", "since_seq", "kind",
			"first_seq");

	private static final String DELETE_CALLS = deletePiece("pending_calls", "call_id", "seq", "since_seq");

	private static final String DELETE_SESSIONS = "delete from sessions where session_key = any (?)";

	private static final String HIDE = """
			update sessions set expire_time = '-infinity', create_time = '-infinity' where session_key = any (?)
			""";

	private final JdbcTemplate jdbc;

	RemovalStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Deletes so many rows of a session, the first ones of its primary key. */
	private static String deletePiece(String table, String... columns) {
		return """
				delete from %1$s where session_key = ? and (%2$s) <= (
				  select %2$s from (select %2$s from %1$s where session_key = ? order by %2$s limit ?) as piece
				  order by %3$s desc limit 1)
				""".formatted(table, String.join(", ", columns), String.join(" desc, ", columns));
	}

	/** Locks rows of sessions in the order of their keys. */
	List<LockedSession> lock(Collection<UUID> sessionKeys, Which which) {
		return this.jdbc.query(LOCK + which.sql,
				(statement) -> new Parameters(statement).add("uuid", sessionKeys.toArray()),
				(row, number) -> new LockedSession(row.getObject("session_key", UUID.class), row.getLong("revision"),
						row.getBoolean("marked"), row.getBoolean("has_marks")));
	}

	/**
	 * Deletes the events of a session that follow a seq, as many as the weight allows,
	 * but one if there is one.
	 */
	DeletedEvents deleteEvents(UUID sessionKey, long after, long weight) {
		return this.jdbc.queryForObject(DELETE_EVENTS, RemovalStatements::deletedEvents, sessionKey, after, sessionKey,
				after, weight / WEIGHT_OF_EVENT + 1, weight);
	}

	/**
	 * Deletes keys of the own state of a session, and of the one that it began with.
	 * @return whether all are gone
	 */
	boolean deleteState(UUID sessionKey) {
		Long deleted = this.jdbc.queryForObject(DELETE_STATE, Long.class, sessionKey, sessionKey, KEYS_OF_PIECE,
				sessionKey, sessionKey, KEYS_OF_PIECE);
		return deleted == null || deleted < KEYS_OF_PIECE;
	}

	/**
	 * Deletes what is noted of the events of a session.
	 * @return whether all is gone
	 */
	boolean deleteNotes(LockedSession session) {
		return !session.hasMarks()
				|| deletePiece(DELETE_MARKS, session.sessionKey()) & deletePiece(DELETE_CALLS, session.sessionKey());
	}

	private boolean deletePiece(String sql, UUID sessionKey) {
		return this.jdbc.update(sql, sessionKey, sessionKey, KEYS_OF_PIECE) < KEYS_OF_PIECE;
	}

	void deleteSessions(Collection<UUID> sessionKeys) {
		update(DELETE_SESSIONS, sessionKeys);
	}

	/**
	 * From the end of the transaction on, nobody finds these sessions, and whoever is
	 * importing one cannot go on.
	 */
	void hide(Collection<UUID> sessionKeys) {
		update(HIDE, sessionKeys);
	}

	private void update(String sql, Collection<UUID> sessionKeys) {
		if (!sessionKeys.isEmpty()) {
			this.jdbc.update(sql, (statement) -> new Parameters(statement).add("uuid", sessionKeys.toArray()));
		}
	}

	private static DeletedEvents deletedEvents(ResultSet row, int number) throws SQLException {
		return new DeletedEvents(row.getLong("events"), row.getLong("last"), row.getLong("weight"));
	}

	/** Which of the sessions that are named are locked. */
	enum Which {

		/** All of them. */
		ALL(" order by session_key for update"),

		/** Those that have come to their end, or whose removal has begun. */
		GONE(" and expire_time <= statement_timestamp() order by session_key for update"),

		/** The same, but for those that somebody else has locked. */
		GONE_AND_FREE(GONE.sql + " skip locked");

		private final String sql;

		Which(String sql) {
			this.sql = sql;
		}

	}

	/**
	 * A session whose row is locked.
	 *
	 * @param sessionKey its key
	 * @param revision the seq of its newest event
	 * @param marked whether its removal has begun
	 * @param hasMarks whether it is noted what its events mean beside the state
	 */
	record LockedSession(UUID sessionKey, long revision, boolean marked, boolean hasMarks) {
	}

	/**
	 * Events that were deleted.
	 *
	 * @param count how many
	 * @param last the seq of the last one, the greatest number if there was none
	 * @param weight their characters, and {@link #WEIGHT_OF_EVENT} for each
	 */
	record DeletedEvents(long count, long last, long weight) {
	}

}
