package dev.agentsessions.postgres.artifact;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;

/**
 * Deletes the artifacts of sessions and users that are gone, and the bytes that no
 * version refers to: once a minute those of all users, and those of one user when the
 * user is erased. Replicas share the work.
 */
@Component
public class ArtifactRemover implements SchedulingConfigurer, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(ArtifactRemover.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private static final int MAX_VERSIONS = 1000;

	private static final int MAX_BLOBS = 100;

	/** 8 MB in one transaction. */
	private static final int MAX_CHUNKS = 32;

	/** The versions come in the order of the primary key. */
	private static final String DELETE_VERSIONS = ArtifactWrites.deleteAndMakeDue("""
			(name, version) <= (
			    select name, version from (
			      select name, version from artifact_versions where user_key = ? and scope_key = ?
			      order by name, version limit ?) as batch
			    order by name desc, version desc limit 1)""");

	/**
	 * If this waits for a save, the save has taken a number by then, so its name stays.
	 */
	private static final String DELETE_NAMES = """
			delete from artifacts as artifact
			where user_key = ? and scope_key = ? and next_version = (
			    select next_version from artifacts as seen
			    where seen.user_key = ? and seen.scope_key = ? and seen.name = artifact.name)
			  and (
			    select max(version) from artifact_versions as one
			    where one.user_key = ? and one.scope_key = ? and one.name = artifact.name) is null
			""";

	private static final String DUE = """
			select user_key, blob_key from artifact_blobs
			where sweep_time <= statement_timestamp() and (user_key, blob_key) > (?, ?)
			order by user_key, blob_key limit ?
			""";

	private static final String OF_USER = """
			select user_key, blob_key from artifact_blobs where user_key = ? and blob_key > ? order by blob_key limit ?
			""";

	private static final String MAKE_DUE = """
			update artifact_blobs set sweep_time = statement_timestamp() where user_key = ? and blob_key = ?
			""";

	private static final String LOCK = """
			select blob_key from artifact_blobs
			where user_key = ? and blob_key = ? and sweep_time <= statement_timestamp() for update
			""";

	private static final String KEEP_IF_USED = """
			update artifact_blobs set sweep_time = null where user_key = ? and blob_key = ? and exists (
			  select from artifact_versions where user_key = ? and blob_key = ?)
			""";

	private static final String HIDE = """
			update artifact_blobs set digest = null where user_key = ? and blob_key = ? and digest is not null
			""";

	private static final String DELETE_CHUNKS = """
			delete from artifact_chunks where user_key = ? and blob_key = ? and number <= (
			  select max(number) from (
			    select number from artifact_chunks where user_key = ? and blob_key = ? order by number limit ?) as batch)
			""";

	private static final String DELETE = "delete from artifact_blobs where user_key = ? and blob_key = ?";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final AtomicLong waiting = new AtomicLong();

	ArtifactRemover(JdbcTemplate jdbc, Transactions transactions, MeterRegistry registry) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		Gauge.builder("agentsessions.artifacts.waiting", this.waiting, AtomicLong::doubleValue)
			.description("Deleted or unfinished artifacts that the last sweep found")
			.register(registry);
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this, INTERVAL, INTERVAL));
	}

	/** Sweeps all blobs that are due. */
	@Override
	public void run() {
		try {
			long found = 0;
			List<Key> keys = find(DUE, new Key(ScopeKey.FIRST, ScopeKey.FIRST));
			while (!keys.isEmpty()) {
				found += keys.size();
				keys.forEach(this::sweep);
				keys = find(DUE, keys.get(keys.size() - 1));
			}
			this.waiting.set(found);
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Bytes of deleted artifacts are deleted later: {}", ex.getMessage());
		}
	}

	private List<Key> find(String sql, Key after) {
		return this.transactions.statement(() -> this.jdbc.query(sql,
				(row, number) -> new Key(row.getObject("user_key", UUID.class), row.getObject("blob_key", UUID.class)),
				after.userKey, after.blobKey, MAX_BLOBS));
	}

	/**
	 * Deletes a batch of versions of a session, or of a user outside of sessions, and
	 * with the last batch the names, but for those that are saved again meanwhile. The
	 * sweep deletes the bytes.
	 * @return whether all are deleted
	 */
	public boolean deleteBatch(UUID userKey, UUID scopeKey) {
		Integer deleted = this.jdbc.queryForObject(DELETE_VERSIONS, Integer.class, userKey, scopeKey, userKey, scopeKey,
				MAX_VERSIONS, userKey, userKey);
		boolean all = deleted == null || deleted < MAX_VERSIONS;
		if (all) {
			this.jdbc.update(DELETE_NAMES, userKey, scopeKey, userKey, scopeKey, userKey, scopeKey);
		}
		return all;
	}

	/**
	 * Erases what a user has outside of sessions, stops uploads, and deletes the bytes of
	 * the user that no version refers to. Waits until another sweep has ended with them.
	 */
	public void erase(UUID userKey) {
		while (!this.transactions.write(userKey, () -> deleteBatch(userKey, userKey))) {
			// Continue with the next batch
		}
		List<Key> keys = find(OF_USER, new Key(userKey, ScopeKey.FIRST));
		while (!keys.isEmpty()) {
			keys.forEach((key) -> {
				this.transactions.write(() -> this.jdbc.update(MAKE_DUE, userKey, key.blobKey));
				sweep(key);
			});
			keys = find(OF_USER, keys.get(keys.size() - 1));
		}
	}

	private void sweep(Key blob) {
		while (this.transactions.write(() -> step(blob))) {
			// Continue with the next chunks
		}
	}

	/**
	 * Deletes chunks in one transaction. Looks for versions after the row is locked: a
	 * save locks it until its version can be seen.
	 * @return whether there may be more chunks
	 */
	private boolean step(Key blob) {
		if (this.jdbc.queryForList(LOCK, UUID.class, blob.userKey, blob.blobKey).isEmpty()) {
			return false;
		}
		if (this.jdbc.update(KEEP_IF_USED, blob.userKey, blob.blobKey, blob.userKey, blob.blobKey) > 0) {
			return false;
		}
		this.jdbc.update(HIDE, blob.userKey, blob.blobKey);
		int deleted = this.jdbc.update(DELETE_CHUNKS, blob.userKey, blob.blobKey, blob.userKey, blob.blobKey,
				MAX_CHUNKS);
		if (deleted < MAX_CHUNKS) {
			this.jdbc.update(DELETE, blob.userKey, blob.blobKey);
		}
		return deleted == MAX_CHUNKS;
	}

	/**
	 * The key of a blob.
	 *
	 * @param userKey of its user
	 * @param blobKey of the blob
	 */
	private record Key(UUID userKey, UUID blobKey) {
	}

}
