package dev.agentsessions.postgres.artifact;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService.Store.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;

/** Reads versions of artifacts and their bytes. */
@Component
class ArtifactReads {

	private static final String IS_LIVE = "select exists (select from sessions where session_key = ? and " + Sql.LIVE
			+ ")";

	private static final String WITH_BLOB = """
			left join artifact_blobs as blob on blob.user_key = version.user_key and blob.blob_key = version.blob_key""";

	private static final String COLUMNS = "select version.*, blob.digest, blob.size as content_size";

	/** Selects what {@link #version} reads, from versions of a scope of a user. */
	static final String SELECT_OF_SCOPE = COLUMNS + " from artifact_versions as version " + WITH_BLOB
			+ " where version.user_key = ? and version.scope_key = ?";

	private static final String SELECT = SELECT_OF_SCOPE + " and version.name = ?";

	private static final String FIND = SELECT + " and version between ? and ? order by version desc limit 1";

	private static final String FIND_ALL = SELECT + " order by version";

	/** Each table is told the user, so that on Citus one shard answers. */
	private static final String NEWEST = """
			%s from artifacts as artifact
			cross join lateral (
			  select * from artifact_versions as one
			  where one.user_key = ? and one.scope_key = artifact.scope_key and one.name = artifact.name
			  order by one.version desc limit 1) as version
			left join artifact_blobs as blob on blob.user_key = ? and blob.blob_key = version.blob_key
			where artifact.user_key = ? and artifact.scope_key in (?, ?) and artifact.name > ?
			  and not (kind = 0 and coalesce(blob.size, 0) = 0 and mime_type = '%s')
			order by artifact.name limit ?
			""".formatted(COLUMNS, ArtifactVersion.UNKNOWN_TYPE);

	private static final String READ = """
			select string_agg(bytes, null order by number) as bytes from artifact_chunks
			where user_key = ? and blob_key = ? and number between ? and ? having count(*) > 0
			""";

	private static final int MAX_CHUNKS = 4;

	/** The size of the chunks that are read at once. */
	static final long MAX_READ_BYTES = (long) MAX_CHUNKS * BlobWriter.CHUNK_BYTES;

	private final JdbcTemplate jdbc;

	ArtifactReads(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Checks that there is a session.
	 * @throws SessionException.NotFound if there is none
	 */
	void checkSession(UUID sessionKey) {
		if (!Boolean.TRUE.equals(this.jdbc.queryForObject(IS_LIVE, Boolean.class, sessionKey))) {
			throw new SessionException.NotFound();
		}
	}

	/** Finds a version; the newest if the number is {@code null}. */
	Optional<ArtifactVersion> find(ArtifactName name, ArtifactKey key, @Nullable Integer version) {
		int first = (version != null) ? version : 0;
		int last = (version != null) ? version : Integer.MAX_VALUE;
		return DataAccessUtils.optionalResult(this.jdbc.query(FIND, (row, number) -> version(row, name), key.userKey(),
				key.scopeKey(), key.name(), first, last));
	}

	List<ArtifactVersion> versions(ArtifactName name, ArtifactKey key) {
		return this.jdbc.query(FIND_ALL, (row, number) -> version(row, name), key.userKey(), key.scopeKey(),
				key.name());
	}

	/** Lists newest versions of a session and its user, or of the user only. */
	List<ArtifactVersion> newest(StateOwner user, @Nullable SessionName session, UUID scopeKey, String after,
			int limit) {
		UUID userKey = ScopeKey.of(user);
		return this.jdbc.query(NEWEST,
				(row, number) -> version(row, new ArtifactName(user, session, row.getString("name"))), userKey, userKey,
				userKey, scopeKey, userKey, after, limit);
	}

	/**
	 * Reads chunks, as many as are read at once.
	 * @param number the first one
	 * @return their bytes; empty if they are deleted
	 */
	Optional<byte[]> read(ArtifactContent content, int number) {
		return DataAccessUtils.optionalResult(this.jdbc.query(READ, (row, index) -> row.getBytes("bytes"),
				content.userKey(), content.blobKey(), number, number + MAX_CHUNKS - 1));
	}

	static ArtifactVersion version(ResultSet row, ArtifactName name) throws SQLException {
		NewArtifact artifact = new NewArtifact(ArtifactKind.values()[row.getInt("kind")], row.getString("mime_type"),
				row.getString("display_name"), row.getString("file_uri"), Columns.jsonOrNull(row, "custom_metadata"));
		return new ArtifactVersion(name, row.getInt("version"), row.getLong("after_seq"),
				Columns.time(row, "create_time"), row.getLong("content_size"), artifact,
				content(row.getObject("user_key", UUID.class), StoredBlob.of(row.getObject("blob_key", UUID.class),
						row.getBytes("digest"), row.getLong("content_size"))));
	}

	static @Nullable ArtifactContent content(UUID userKey, @Nullable StoredBlob blob) {
		return (blob != null) ? new ArtifactContent(userKey, blob.key(), blob.digestText()) : null;
	}

	/**
	 * The key of an artifact in the tables.
	 *
	 * @param userKey of the user
	 * @param scopeKey of the session, or of the user
	 * @param name the name, with the prefix {@code user:} if it belongs to the user
	 */
	record ArtifactKey(UUID userKey, UUID scopeKey, String name) {

		/**
		 * Of the rows of a version and of their index entries, without what a client
		 * sends.
		 */
		static final int ROWS_BYTES = 512;

		static ArtifactKey of(ArtifactName name, UUID scopeKey) {
			return new ArtifactKey(ScopeKey.of(name.user()), scopeKey, name.name());
		}

		/**
		 * Returns what a version counts in a quota, in bytes.
		 * @param size the size of its own bytes
		 */
		long counted(NewArtifact artifact, long size) {
			return size + artifact.metadataSize() + this.name.getBytes(StandardCharsets.UTF_8).length + ROWS_BYTES;
		}

		boolean isOfUser() {
			return this.scopeKey.equals(this.userKey);
		}

	}

}
