package dev.agentsessions.postgres.removal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.artifact.ArtifactRemover;
import dev.agentsessions.postgres.search.IndexLocks;

/**
 * Deletes the rows under a key that no session has, in batches of bounded size.
 */
@Component
class RemovalStatements {

	/**
	 * The weight of an event is its size plus this number of bytes, for its rows in the
	 * table and in the indexes.
	 */
	static final int WEIGHT_OF_EVENT = 4000;

	/** Maximum number of rows of each other table in a batch. */
	static final int MAX_BATCH_ROWS = 10_000;

	private static final String DELETE_EVENTS = """
			with batch as (
			  delete from events where session_key = ? and seq > ? and seq <= (
			    select max(seq) from (
			      select seq, sum(size + 4000::bigint) over (order by seq) - size - 4000 as before from events
			      where session_key = ? and seq > ? order by seq limit ?) as next
			    where before < ?)
			  returning seq, size)
			select count(*) as events, coalesce(max(seq), 9223372036854775807) as last, sum(size + 4000::bigint) as weight
			from batch
			""";

	/**
	 * Each batch is a range of keys, here and below. With a list of keys, PostgreSQL may
	 * compare each row with each key while its statistics say that the table is small.
	 */
	private static final String DELETE_STATE = """
			with own as (
			  delete from state where scope_key = ? and key <= (
			    select max(key) from (select key from state where scope_key = ? order by key limit ?) as batch)
			  returning key),
			initial as (
			  delete from initial_state where session_key = ? and key <= (
			    select max(key) from (select key from initial_state where session_key = ? order by key limit ?) as batch)
			  returning key)
			select greatest((select count(*) from own), (select count(*) from initial))
			""";

	private static final String USER = "select user_key from keys_to_sweep where session_key = ?";

	private static final String DELETE_SAID = """
			with state as (
			  delete from said_sessions where user_key = ? and session_key = ?),
			batch as (
			  select max(turn) as last from (
			    select turn from said where user_key = ? and session_key = ? order by turn limit ?) as first),
			vectors as (
			  delete from said_vectors where user_key = ? and session_key = ? and turn <= (select last from batch))
			delete from said where user_key = ? and session_key = ? and turn <= (select last from batch)
			""";

	private static final String DELETE_CALLS = deleteBatch("pending_calls", "call_id", "seq", "since_seq");

	private final JdbcTemplate jdbc;

	private final IndexLocks indexLocks;

	private final ArtifactRemover artifacts;

	RemovalStatements(JdbcTemplate jdbc, IndexLocks indexLocks, ArtifactRemover artifacts) {
		this.jdbc = jdbc;
		this.artifacts = artifacts;
		this.indexLocks = indexLocks;
	}

	/**
	 * Returns a statement that deletes the first rows of a session in the order of the
	 * primary key.
	 */
	private static String deleteBatch(String table, String... columns) {
		return """
				delete from %1$s where session_key = ? and (%2$s) <= (
				  select %2$s from (select %2$s from %1$s where session_key = ? order by %2$s limit ?) as batch
				  order by %3$s desc limit 1)
				""".formatted(table, String.join(", ", columns), String.join(" desc, ", columns));
	}

	/**
	 * Deletes events of a session after a seq, up to a weight, but one at least.
	 */
	DeletedEvents deleteEvents(UUID sessionKey, long after, long weight) {
		return this.jdbc.queryForObject(DELETE_EVENTS, RemovalStatements::deletedEvents, sessionKey, after, sessionKey,
				after, weight / WEIGHT_OF_EVENT + 1, weight);
	}

	/**
	 * Deletes a batch of rows of each other table.
	 * @return whether all rows are deleted
	 */
	boolean deleteOtherRows(UUID sessionKey) {
		UUID user = Objects.requireNonNull(this.jdbc.queryForObject(USER, UUID.class, sessionKey));
		return deleteState(sessionKey) & deleteCalls(sessionKey) & deleteSaid(user, sessionKey)
				& this.artifacts.deleteBatch(user, sessionKey);
	}

	private boolean deleteState(UUID sessionKey) {
		Long deleted = this.jdbc.queryForObject(DELETE_STATE, Long.class, sessionKey, sessionKey, MAX_BATCH_ROWS,
				sessionKey, sessionKey, MAX_BATCH_ROWS);
		return deleted == null || deleted < MAX_BATCH_ROWS;
	}

	private boolean deleteCalls(UUID sessionKey) {
		return this.jdbc.update(DELETE_CALLS, sessionKey, sessionKey, MAX_BATCH_ROWS) < MAX_BATCH_ROWS;
	}

	/**
	 * Deletes the index of the search, and its vectors. Only a row of {@code said} has a
	 * vector. The lock waits for a search that still indexes the session; a later one
	 * finds that the session is gone.
	 */
	private boolean deleteSaid(UUID user, UUID sessionKey) {
		this.indexLocks.lock(sessionKey);
		return this.jdbc.update(DELETE_SAID, user, sessionKey, user, sessionKey, MAX_BATCH_ROWS, user, sessionKey, user,
				sessionKey) < MAX_BATCH_ROWS;
	}

	private static DeletedEvents deletedEvents(ResultSet row, int number) throws SQLException {
		return new DeletedEvents(row.getLong("events"), row.getLong("last"), row.getLong("weight"));
	}

	/**
	 * The result of a deletion of events.
	 *
	 * @param count the number of deleted events
	 * @param last the seq of the last one; {@link Long#MAX_VALUE} if there was none
	 * @param weight their sizes, and {@link #WEIGHT_OF_EVENT} for each, in bytes
	 */
	record DeletedEvents(long count, long last, long weight) {
	}

}
