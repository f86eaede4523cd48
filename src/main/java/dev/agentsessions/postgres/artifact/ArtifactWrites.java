package dev.agentsessions.postgres.artifact;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.NewArtifact;

/** Writes names and versions of artifacts. */
@Component
class ArtifactWrites {

	/**
	 * Locks the row of the session, so an append waits, and the version is saved before
	 * its event or after it; so does a deletion. Locks the row of the name, so the next
	 * save of this name waits, adds up what there is, finds equal bytes and locks their
	 * row, so the sweep waits, and finds the same save. Statements in one round trip:
	 * Citus executes no insert within another statement.
	 */
	private static final String NEXT_VERSION = Transactions.LIMIT_LOCK_WAITS + """
			;
			select revision from sessions where session_key = ? and %s for no key update;
			insert into artifacts as artifact (user_key, scope_key, name, next_version) values (?, ?, ?, ?)
			on conflict (user_key, scope_key, name) do update set next_version = %s
			returning next_version - 1;
			select coalesce(sum(size) filter (where scope_key = ?), 0), coalesce(sum(size), 0)
			from artifact_versions where user_key = ?;
			select blob_key from artifact_blobs where user_key = ? and digest = ? and size = ? for no key update;
			select version from artifact_versions where user_key = ? and scope_key = ? and name = ? and save_id = ?
			""";

	private static final String TAKE_NEXT = NEXT_VERSION.formatted(Sql.LIVE, "artifact.next_version + 1");

	private static final String USE_NUMBER = NEXT_VERSION.formatted(Sql.LIVE,
			"greatest(artifact.next_version, excluded.next_version)");

	private static final String LOCK_NAME = """
			select name from artifacts where user_key = ? and scope_key = ? and name = ? for update
			""";

	private static final String COUNT = """
			select count(*) from artifact_versions where user_key = ? and scope_key = ? and name = ?
			""";

	private static final String INSERT = """
			insert into artifact_versions (user_key, scope_key, name, version, after_seq, create_time, kind, size,
			  mime_type, display_name, file_uri, custom_metadata, blob_key, save_id)
			values (?, ?, ?, ?, ?, coalesce(?, statement_timestamp()), ?, ?, ?, ?, ?, ?::json, ?, ?)
			returning create_time
			""";

	/** The bytes and the version in one round trip. */
	private static final String INSERT_WITH_BYTES = BlobWriter.INSERT + ";\n" + INSERT;

	private static final String DELETE = deleteAndMakeDue("name = ? and version = coalesce(?::integer, version)");

	private static final String DELETE_NAME = "delete from artifacts where user_key = ? and scope_key = ? and name = ?";

	private final JdbcTemplate jdbc;

	ArtifactWrites(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns a statement that deletes versions and makes their bytes due, also bytes
	 * that are due already: a sweep that still sees a version may be about to keep them.
	 * It locks the blobs in the order of their keys, and returns the number of versions.
	 * Its last two parameters are the key of the user.
	 * @param condition which versions of the scope
	 */
	static String deleteAndMakeDue(String condition) {
		return """
				with deleted as (
				  delete from artifact_versions where user_key = ? and scope_key = ? and %s
				  returning blob_key),
				blob as (
				  select blob_key from artifact_blobs
				  where user_key = ? and blob_key = any (array(select blob_key from deleted))
				  order by blob_key for no key update),
				due as (
				  update artifact_blobs set sweep_time = statement_timestamp()
				  where user_key = ? and blob_key = any (array(select blob_key from blob)))
				select count(*) from deleted
				""".formatted(condition);
	}

	/**
	 * Takes the number of the next version.
	 * @param digest of its bytes; {@code null} if it has none
	 * @param saveId identifies the save; {@code null} if it may not be repeated
	 * @throws SessionException.NotFound if the session does not exist
	 */
	NextVersion nextVersion(ArtifactKey key, byte @Nullable [] digest, long size, @Nullable UUID saveId) {
		return nextVersion(TAKE_NEXT, key, 0, digest, size, saveId);
	}

	/**
	 * Uses a number that an import has. Saves take the numbers after it.
	 * @return the largest number that is in use
	 * @throws SessionException.NotFound if the session does not exist
	 */
	NextVersion useVersion(ArtifactKey key, int version, byte @Nullable [] digest, long size) {
		return nextVersion(USE_NUMBER, key, version, digest, size, null);
	}

	private NextVersion nextVersion(String sql, ArtifactKey key, int ofNewName, byte @Nullable [] digest, long size,
			@Nullable UUID saveId) {
		return Objects.requireNonNull(this.jdbc.execute(sql, (PreparedStatement statement) -> {
			new StatementParameters(statement)
				.addAll(key.scopeKey(), key.userKey(), key.scopeKey(), key.name(), ofNewName + 1)
				.addAll(key.scopeKey(), key.userKey(), key.userKey(), digest, size)
				.addAll(key.userKey(), key.scopeKey(), key.name(), saveId);
			statement.execute();
			next(statement);
			return nextVersion(statement, key.isOfUser());
		}));
	}

	private static NextVersion nextVersion(PreparedStatement statement, boolean isOfUser) throws SQLException {
		ResultSet session = statement.getResultSet();
		if (!session.next() && !isOfUser) {
			throw new SessionException.NotFound();
		}
		long afterSeq = isOfUser ? 0 : session.getLong(1);
		ResultSet number = next(statement);
		number.next();
		int version = number.getInt(1);
		ResultSet sizes = next(statement);
		sizes.next();
		long scopeSize = sizes.getLong(1);
		long userSize = sizes.getLong(2);
		ResultSet equal = next(statement);
		UUID blobKey = equal.next() ? equal.getObject(1, UUID.class) : null;
		ResultSet same = next(statement);
		return new NextVersion(afterSeq, version, scopeSize, userSize, blobKey, same.next() ? same.getInt(1) : null);
	}

	/** Closes the result before. */
	private static ResultSet next(PreparedStatement statement) throws SQLException {
		statement.getMoreResults();
		return statement.getResultSet();
	}

	/**
	 * Locks the row of a name. Without the lock, nothing may delete the name: others
	 * could save a version between the statements that delete the versions and the name.
	 * @return whether there is such a name
	 */
	boolean lockName(ArtifactKey key) {
		return !this.jdbc.queryForList(LOCK_NAME, String.class, key.userKey(), key.scopeKey(), key.name()).isEmpty();
	}

	/** Returns the number of versions of a name. */
	int count(ArtifactKey key) {
		return one(COUNT, key.userKey(), key.scopeKey(), key.name());
	}

	private int one(String sql, @Nullable Object... parameters) {
		Integer number = this.jdbc.queryForObject(sql, Integer.class, parameters);
		return (number != null) ? number : 0;
	}

	/**
	 * Inserts a version.
	 * @param createTime when it was saved; {@code null} for now
	 * @param blob its bytes, and whether they are stored already; {@code null} if it has
	 * none
	 * @param saveId identifies the save; {@code null} if it may not be repeated
	 * @return when it was saved
	 */
	Instant insert(ArtifactKey key, int version, long afterSeq, @Nullable Instant createTime, NewArtifact artifact,
			@Nullable StoredBlob blob, @Nullable UUID saveId) {
		JsonText metadata = artifact.customMetadata();
		boolean withBytes = blob != null && blob.only() != null;
		return Objects
			.requireNonNull(this.jdbc.execute(withBytes ? INSERT_WITH_BYTES : INSERT, (PreparedStatement statement) -> {
				StatementParameters parameters = new StatementParameters(statement);
				if (blob != null && withBytes) {
					BlobWriter.addParameters(parameters, key.userKey(), blob);
				}
				parameters.addAll(key.userKey(), key.scopeKey(), key.name(), version, afterSeq, createTime,
						artifact.kind().ordinal(), key.counted(artifact, (blob != null) ? blob.size() : 0),
						artifact.mimeType(), artifact.displayName(), artifact.fileUri(),
						(metadata != null) ? metadata.text() : null, (blob != null) ? blob.key() : null, saveId);
				return time(statement);
			}));
	}

	/** Skips what comes before the version. */
	private static Instant time(PreparedStatement statement) throws SQLException {
		boolean isRow = statement.execute();
		while (!isRow) {
			isRow = statement.getMoreResults();
		}
		ResultSet row = statement.getResultSet();
		row.next();
		return Columns.time(row, "create_time");
	}

	/**
	 * Deletes a version, or a name with all of them. Without the name, numbers begin with
	 * 0 again. The caller has locked the name.
	 */
	int delete(ArtifactKey key, @Nullable Integer version) {
		int deleted = one(DELETE, key.userKey(), key.scopeKey(), key.name(), version, key.userKey(), key.userKey());
		if (version == null) {
			this.jdbc.update(DELETE_NAME, key.userKey(), key.scopeKey(), key.name());
		}
		return deleted;
	}

	/**
	 * The next version of an artifact.
	 *
	 * @param afterSeq the seq of the newest event of the session; 0 for an artifact of
	 * the user
	 * @param number its number
	 * @param scopeSize what all versions of the session count, or those of the user
	 * without a session, in bytes
	 * @param userSize what all versions of the user count, in bytes
	 * @param equal identifies stored bytes that are equal to its own; {@code null} if
	 * there are none
	 * @param same the version that the same save has stored before; {@code null} if there
	 * is none
	 */
	record NextVersion(long afterSeq, int number, long scopeSize, long userSize, @Nullable UUID equal,
			@Nullable Integer same) {
	}

}
