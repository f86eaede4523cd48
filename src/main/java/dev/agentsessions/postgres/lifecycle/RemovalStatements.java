package dev.agentsessions.postgres.lifecycle;

import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.artifact.ArtifactRemover;
import dev.agentsessions.postgres.memory.IndexLocks;

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

	private static final String USER = "select user_key from keys_to_sweep where session_key = ?";

	private final JdbcClient jdbc;

	private final IndexLocks indexLocks;

	private final OwnedTables tables;

	private final ArtifactRemover artifacts;

	RemovalStatements(JdbcClient jdbc, IndexLocks indexLocks, OwnedTables tables, ArtifactRemover artifacts) {
		this.jdbc = jdbc;
		this.indexLocks = indexLocks;
		this.tables = tables;
		this.artifacts = artifacts;
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
	 * Deletes a batch of rows of each other table. The lock waits for a search that still
	 * indexes the session; a later one finds that the session is gone.
	 * @return whether all rows are deleted
	 */
	boolean deleteOtherRows(UUID sessionKey) {
		UUID user = this.jdbc.sql(USER).param(sessionKey).query(UUID.class).single();
		this.indexLocks.lock(sessionKey);
		return this.tables.sweep(user, sessionKey) & this.artifacts.deleteBatch(user, sessionKey);
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
