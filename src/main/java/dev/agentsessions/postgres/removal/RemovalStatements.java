package dev.agentsessions.postgres.removal;

import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
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
			select count(*) as count, coalesce(max(seq), 9223372036854775807) as last,
			  coalesce(sum(size + 4000::bigint), 0) as weight from batch
			""";

	/**
	 * Each batch is a range of keys, here and below. With a list of keys, PostgreSQL may
	 * compare each row with each key while its statistics say that the table is small.
	 */
	private static final String DELETE_STATE = """
			with own as (
			  delete from state where scope_key = :key and key <= (
			    select max(key) from (select key from state where scope_key = :key order by key limit :limit) as batch)
			  returning key),
			initial as (
			  delete from initial_state where session_key = :key and key <= (
			    select max(key) from (select key from initial_state where session_key = :key order by key limit :limit) as batch)
			  returning key)
			select greatest((select count(*) from own), (select count(*) from initial))
			""";

	private static final String USER = "select user_key from keys_to_sweep where session_key = ?";

	private static final String DELETE_SAID = """
			with state as (
			  delete from said_sessions where user_key = :user and session_key = :key),
			batch as (
			  select max(turn) as last from (
			    select turn from said where user_key = :user and session_key = :key order by turn limit :limit) as first),
			vectors as (
			  delete from said_vectors where user_key = :user and session_key = :key and turn <= (select last from batch))
			delete from said where user_key = :user and session_key = :key and turn <= (select last from batch)
			""";

	private static final String DELETE_CALLS = deleteBatch("pending_calls", "call_id", "seq", "since_seq");

	private final JdbcClient jdbc;

	private final IndexLocks indexLocks;

	private final ArtifactRemover artifacts;

	RemovalStatements(JdbcClient jdbc, IndexLocks indexLocks, ArtifactRemover artifacts) {
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
				delete from %1$s where session_key = :key and (%2$s) <= (
				  select %2$s from (select %2$s from %1$s where session_key = :key order by %2$s limit :limit) as batch
				  order by %3$s desc limit 1)
				""".formatted(table, String.join(", ", columns), String.join(" desc, ", columns));
	}

	/**
	 * Deletes events of a session after a seq, up to a weight, but one at least.
	 */
	DeletedEvents deleteEvents(UUID sessionKey, long after, long weight) {
		return this.jdbc.sql(DELETE_EVENTS)
			.params(sessionKey, after, sessionKey, after, weight / WEIGHT_OF_EVENT + 1, weight)
			.query(DeletedEvents.class)
			.single();
	}

	/**
	 * Deletes a batch of rows of each other table.
	 * @return whether all rows are deleted
	 */
	boolean deleteOtherRows(UUID sessionKey) {
		UUID user = this.jdbc.sql(USER).param(sessionKey).query(UUID.class).single();
		return deleteState(sessionKey) & deleteCalls(sessionKey) & deleteSaid(user, sessionKey)
				& this.artifacts.deleteBatch(user, sessionKey);
	}

	private boolean deleteState(UUID sessionKey) {
		return batch(DELETE_STATE, sessionKey).query(Long.class).single() < MAX_BATCH_ROWS;
	}

	private boolean deleteCalls(UUID sessionKey) {
		return batch(DELETE_CALLS, sessionKey).update() < MAX_BATCH_ROWS;
	}

	/**
	 * Deletes the index of the search, and its vectors. Only a row of {@code said} has a
	 * vector. The lock waits for a search that still indexes the session; a later one
	 * finds that the session is gone.
	 */
	private boolean deleteSaid(UUID user, UUID sessionKey) {
		this.indexLocks.lock(sessionKey);
		return batch(DELETE_SAID, sessionKey).param("user", user).update() < MAX_BATCH_ROWS;
	}

	private StatementSpec batch(String sql, UUID sessionKey) {
		return this.jdbc.sql(sql).param("key", sessionKey).param("limit", MAX_BATCH_ROWS);
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
