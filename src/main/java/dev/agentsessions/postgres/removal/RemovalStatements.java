package dev.agentsessions.postgres.removal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Deletes the rows under a key that no session has, as many as one transaction may.
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
	 * A batch is all up to its last key, here and below: if it were a list of keys,
	 * PostgreSQL might compare each row with each of them, as long as it believes the
	 * table to be small.
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

	private static final String DELETE_CALLS = deletePiece("pending_calls", "call_id", "seq", "since_seq");

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

	/**
	 * Deletes the events of a session that follow a seq, as many as the weight allows,
	 * but one if there is one.
	 */
	DeletedEvents deleteEvents(UUID sessionKey, long after, long weight) {
		return this.jdbc.queryForObject(DELETE_EVENTS, RemovalStatements::deletedEvents, sessionKey, after, sessionKey,
				after, weight / WEIGHT_OF_EVENT + 1, weight);
	}

	/**
	 * Deletes rows of the other tables.
	 * @return whether all are gone
	 */
	boolean deleteOtherRows(UUID sessionKey) {
		return deleteState(sessionKey) & deleteCalls(sessionKey);
	}

	private boolean deleteState(UUID sessionKey) {
		Long deleted = this.jdbc.queryForObject(DELETE_STATE, Long.class, sessionKey, sessionKey, KEYS_OF_PIECE,
				sessionKey, sessionKey, KEYS_OF_PIECE);
		return deleted == null || deleted < KEYS_OF_PIECE;
	}

	private boolean deleteCalls(UUID sessionKey) {
		return this.jdbc.update(DELETE_CALLS, sessionKey, sessionKey, KEYS_OF_PIECE) < KEYS_OF_PIECE;
	}

	private static DeletedEvents deletedEvents(ResultSet row, int number) throws SQLException {
		return new DeletedEvents(row.getLong("events"), row.getLong("last"), row.getLong("weight"));
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
