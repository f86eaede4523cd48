package dev.agentsessions.postgres.artifact;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.artifact.RestoredArtifacts.RestoredArtifact;

/**
 * The artifacts of a session at an earlier moment. A version belongs to the event that
 * follows its save: an agent saves first, and then appends the event with its number. So
 * right after an event there are the versions that were saved before that event.
 */
@Component
public class ArtifactHistory {

	private static final String COLUMNS = """
			after_seq, create_time, kind, size, mime_type, display_name, file_uri, custom_metadata, blob_key""";

	private static final String COPY = """
			insert into artifact_versions (user_key, scope_key, name, version, %1$s)
			select user_key, ?, name, version, %1$s from artifact_versions
			where user_key = ? and scope_key = ? and after_seq < ?
			""".formatted(COLUMNS);

	private static final String LOCK_BLOBS = """
			select blob_key from artifact_blobs where user_key = ? and blob_key in (
			  select blob_key from artifact_versions where user_key = ? and scope_key = ?)
			order by blob_key for key share
			""";

	private static final String DELETE_WITHOUT_BYTES = """
			delete from artifact_versions as version where user_key = ? and scope_key = ? and blob_key is not null
			  and not exists (select from artifact_blobs as blob
			    where blob.user_key = version.user_key and blob.blob_key = version.blob_key and digest is not null)
			""";

	private static final String INSERT_NAMES = """
			insert into artifacts (user_key, scope_key, name, next_version)
			select user_key, scope_key, name, max(version) + 1 from artifact_versions
			where user_key = ? and scope_key = ? group by user_key, scope_key, name
			""";

	private static final String NEWEST = """
			select * from artifact_versions as one
			where one.user_key = ? and one.scope_key = artifact.scope_key and one.name = artifact.name%s
			order by one.version desc limit 1""";

	/**
	 * Equal versions, and absent ones that were absent, stay as they are. Each table is
	 * told the user, so that on Citus one shard answers.
	 */
	private static final String CHANGED = """
			select artifact.name, next_version, past.version as from_version from artifacts as artifact
			cross join lateral (%s) as now
			left join lateral (%s) as past on true
			where artifact.user_key = ? and artifact.scope_key = ? and now.after_seq >= ?
			  and (past.kind, past.blob_key, past.file_uri, past.mime_type)
			    is distinct from (now.kind, now.blob_key, now.file_uri, now.mime_type)
			  and (past.version is not null or now.kind > 0 or now.mime_type is distinct from '%s' or exists (
			    select from artifact_blobs as blob
			    where blob.user_key = ? and blob.blob_key = now.blob_key and blob.size > 0))
			order by artifact.name
			""".formatted(NEWEST.formatted(""), NEWEST.formatted(" and one.after_seq < ?"),
			ArtifactVersion.UNKNOWN_TYPE);

	private static final String TAKE_NUMBER = """
			update artifacts set next_version = next_version + 1
			where user_key = ? and scope_key = ? and name = ? and next_version = ?
			""";

	private static final String RESTORE = """
			insert into artifact_versions (user_key, scope_key, name, version, %1$s)
			select user_key, scope_key, name, ?, ?, statement_timestamp(), kind, size, mime_type, display_name, file_uri,
			  custom_metadata, blob_key
			from artifact_versions where user_key = ? and scope_key = ? and name = ? and version = ?
			"""
		.formatted(COLUMNS);

	private static final String TAKE_BACK = """
			insert into artifact_versions (user_key, scope_key, name, version, after_seq, create_time, kind, size, mime_type)
			values (?, ?, ?, ?, ?, statement_timestamp(), 0, %d, '%s')
			"""
		.formatted(ArtifactKey.ROWS_BYTES, ArtifactVersion.UNKNOWN_TYPE);

	private final JdbcTemplate jdbc;

	ArtifactHistory(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Copies the versions that a session had right after an event to another session of
	 * the user, but no bytes. Within a transaction of one snapshot, which may have to be
	 * repeated while others delete versions.
	 * @param seq the event; {@link Long#MAX_VALUE} for all versions
	 */
	public void copy(UUID userKey, UUID source, UUID target, long seq) {
		int copied = this.jdbc.update(COPY, target, userKey, source, seq);
		if (copied > 0) {
			// From now on the sweep waits. What it took before has no digest any more
			this.jdbc.queryForList(LOCK_BLOBS, UUID.class, userKey, userKey, target);
			this.jdbc.update(DELETE_WITHOUT_BYTES, userKey, target);
			this.jdbc.update(INSERT_NAMES, userKey, target);
		}
	}

	/** Returns the artifacts of a session that have changed since an event. */
	public RestoredArtifacts changed(UUID userKey, UUID sessionKey, long seq) {
		return new RestoredArtifacts(seq,
				this.jdbc.query(CHANGED,
						(row, number) -> new RestoredArtifact(row.getString("name"), row.getInt("next_version"),
								row.getObject("from_version", Integer.class)),
						userKey, userKey, seq, userKey, sessionKey, seq, userKey));
	}

	/**
	 * Saves the new versions of a rewind, within the transaction that appends its event
	 * and has locked the row of the session.
	 * @param afterSeq the seq of the event before it
	 * @return whether the same artifacts still have to be restored; if not, the
	 * transaction has to end without a commit
	 */
	public boolean restore(UUID userKey, UUID sessionKey, RestoredArtifacts restored, long afterSeq) {
		return changed(userKey, sessionKey, restored.seq()).equals(restored) && restored.artifacts()
			.stream()
			.allMatch((artifact) -> restore(userKey, sessionKey, artifact, afterSeq));
	}

	private boolean restore(UUID userKey, UUID sessionKey, RestoredArtifact artifact, long afterSeq) {
		int taken = this.jdbc.update(TAKE_NUMBER, userKey, sessionKey, artifact.name(), artifact.version());
		if (taken == 0) {
			return false;
		}
		Integer from = artifact.from();
		if (from == null) {
			return this.jdbc.update(TAKE_BACK, userKey, sessionKey, artifact.name(), artifact.version(), afterSeq) == 1;
		}
		return this.jdbc.update(RESTORE, artifact.version(), afterSeq, userKey, sessionKey, artifact.name(), from) == 1;
	}

}
