package dev.agentsessions.postgres.artifact;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;

/** Deletes the artifacts of a session that is gone, and of a user. */
@Component
public class ArtifactRemover {

	private static final int MAX_BATCH_ROWS = 1000;

	/** The versions come in the order of the primary key. */
	private static final String DELETE_VERSIONS = ArtifactWrites.deleteAndMakeDue("""
			(name, version) <= (
			    select name, version from (
			      select name, version from artifact_versions where user_key = ? and scope_key = ?
			      order by name, version limit ?) as batch
			    order by name desc, version desc limit 1)""");

	private static final String DELETE_NAMES = "delete from artifacts where user_key = ? and scope_key = ?";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final BlobSweeper sweeper;

	ArtifactRemover(JdbcTemplate jdbc, Transactions transactions, BlobSweeper sweeper) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.sweeper = sweeper;
	}

	/**
	 * Deletes a batch of versions of a session, or of a user outside of sessions, and the
	 * names with the last batch. The sweep deletes the bytes.
	 * @return whether all are deleted
	 */
	public boolean deleteBatch(UUID userKey, UUID scopeKey) {
		Integer deleted = this.jdbc.queryForObject(DELETE_VERSIONS, Integer.class, userKey, scopeKey, userKey, scopeKey,
				MAX_BATCH_ROWS, userKey, userKey);
		boolean all = deleted == null || deleted < MAX_BATCH_ROWS;
		if (all) {
			this.jdbc.update(DELETE_NAMES, userKey, scopeKey);
		}
		return all;
	}

	/**
	 * Erases what a user has outside of sessions, stops uploads, and deletes the bytes of
	 * the user that no version refers to.
	 */
	public void erase(UUID userKey) {
		boolean all = false;
		while (!all) {
			all = this.transactions.write(userKey, () -> deleteBatch(userKey, userKey));
		}
		this.sweeper.erase(userKey);
	}

}
