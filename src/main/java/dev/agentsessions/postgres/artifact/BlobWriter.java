package dev.agentsessions.postgres.artifact;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Base64;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ArtifactUpload;

/**
 * Writes the bytes of an upload, chunk by chunk, and makes them the bytes of a version.
 */
@Component
class BlobWriter {

	/** The size of all chunks but the last, in bytes. */
	static final int CHUNK_BYTES = 256 * 1024;

	private static final String BEGIN = """
			insert into artifact_blobs (user_key, blob_key, size, sweep_time)
			values (?, ?, 0, statement_timestamp() + interval '1 hour')
			""";

	private static final String ADD_CHUNK = """
			with upload as (
			  update artifact_blobs set sweep_time = statement_timestamp() + interval '1 hour'
			  where user_key = ? and blob_key = ? and digest is null and sweep_time > statement_timestamp()
			  returning user_key, blob_key)
			insert into artifact_chunks (user_key, blob_key, number, bytes) select user_key, blob_key, ?, ? from upload
			""";

	private static final String GIVE_UP = """
			update artifact_blobs set sweep_time = statement_timestamp()
			where user_key = ? and blob_key = ? and digest is null
			""";

	/** Stores bytes that are one chunk. */
	static final String INSERT = """
			insert into artifact_blobs (user_key, blob_key, digest, size) values (?, ?, ?, ?);
			insert into artifact_chunks (user_key, blob_key, number, bytes) values (?, ?, 0, ?)""";

	/** The size of an external value is known without its bytes. */
	private static final String COMPLETE = """
			update artifact_blobs set digest = ?, size = ?, sweep_time = null
			where user_key = ? and blob_key = ? and digest is null and sweep_time > statement_timestamp() and (
			  select coalesce(sum(octet_length(bytes)), 0) from artifact_chunks where user_key = ? and blob_key = ?) = ?
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	BlobWriter(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/**
	 * Reads bytes to their end and stores them as chunks that no version refers to yet,
	 * unless they fit into one chunk.
	 * @param check is called before the second chunk is read
	 * @throws IOException if they do not arrive. Nothing stays
	 */
	StoredBlob receive(UUID userKey, InputStream bytes, Runnable check) throws IOException {
		BlobUpload upload = new BlobUpload(this, userKey);
		try {
			byte[] chunk = bytes.readNBytes(CHUNK_BYTES);
			if (chunk.length == CHUNK_BYTES) {
				check.run();
			}
			while (chunk.length > 0) {
				upload.add(chunk);
				chunk = bytes.readNBytes(CHUNK_BYTES);
			}
			return upload.end();
		}
		catch (IOException | RuntimeException | Error ex) {
			upload.giveUp();
			throw ex;
		}
	}

	void begin(UUID userKey, UUID key) {
		this.transactions.writeUnreferenced(() -> this.jdbc.update(BEGIN, userKey, key));
	}

	void addChunk(UUID userKey, UUID key, int number, byte[] chunk) {
		int added = this.transactions.writeUnreferenced(() -> this.jdbc.update(ADD_CHUNK, userKey, key, number, chunk));
		if (added == 0) {
			throw interrupted();
		}
	}

	private static SessionException.Unavailable interrupted() {
		return new SessionException.Unavailable(
				"The user was erased, the database was restarted, or nothing came for an "
						+ "hour, while the artifact was uploaded. Please retry.");
	}

	/** Leaves chunks that no version refers to to the sweep. */
	void giveUp(UUID userKey, @Nullable StoredBlob blob) {
		if (blob != null && blob.only() == null) {
			giveUp(userKey, blob.key());
		}
	}

	/** Without the database, the sweep deletes them an hour after the last chunk. */
	void giveUp(UUID userKey, UUID key) {
		try {
			this.transactions.writeUnreferenced(() -> this.jdbc.update(GIVE_UP, userKey, key));
		}
		catch (SessionException.Unavailable ex) {
			return;
		}
	}

	/** Adds the parameters of {@link #INSERT}. */
	static void addParameters(StatementParameters parameters, UUID userKey, StoredBlob blob) throws SQLException {
		parameters.addAll(userKey, blob.key(), blob.digest(), blob.size(), userKey, blob.key(), blob.only());
	}

	/**
	 * Makes chunks findable by their digest, unless equal bytes are stored. Within the
	 * transaction that inserts the version.
	 * @param equal identifies the equal bytes; {@code null} if there are none
	 * @return the bytes that the version refers to
	 */
	StoredBlob complete(UUID userKey, StoredBlob blob, @Nullable UUID equal) {
		if (blob.only() == null && equal == null) {
			complete(userKey, blob);
		}
		else if (blob.only() == null) {
			this.jdbc.update(GIVE_UP, userKey, blob.key());
		}
		return (equal != null) ? new StoredBlob(equal, blob.digest(), blob.size(), null) : blob;
	}

	private void complete(UUID userKey, StoredBlob blob) {
		int completed = this.jdbc.update(COMPLETE, blob.digest(), blob.size(), userKey, blob.key(), userKey, blob.key(),
				blob.size());
		if (completed == 0) {
			throw interrupted();
		}
	}

	/**
	 * Bytes that a save refers to.
	 *
	 * @param key identifies their row
	 * @param digest SHA-256
	 * @param size the number of bytes
	 * @param only all bytes if they fit into one chunk, which is not stored yet;
	 * {@code null} if their chunks are stored
	 */
	record StoredBlob(UUID key, byte[] digest, long size, byte @Nullable [] only) {

		/** Returns stored bytes; {@code null} without a key or a digest. */
		static @Nullable StoredBlob of(@Nullable UUID key, byte @Nullable [] digest, long size) {
			return (key != null && digest != null) ? new StoredBlob(key, digest, size, null) : null;
		}

		/** Returns the digest as Base64 for URLs without padding. */
		String digestText() {
			return Base64.getUrlEncoder().withoutPadding().encodeToString(this.digest);
		}

	}

	/**
	 * Bytes that arrive in pieces of any size, and are stored in chunks. Not thread-safe.
	 */
	static final class BlobUpload implements ArtifactUpload {

		private final BlobWriter writer;

		private final UUID userKey;

		private final UUID key = SessionRow.newKey();

		private final MessageDigest digest = Sha256.begin();

		private final ByteArrayOutputStream chunk = new ByteArrayOutputStream();

		private int chunks;

		BlobUpload(BlobWriter writer, UUID userKey) {
			this.writer = writer;
			this.userKey = userKey;
		}

		@Override
		public void add(byte[] bytes) {
			this.digest.update(bytes);
			if (bytes.length == BlobWriter.CHUNK_BYTES && this.chunk.size() == 0) {
				store(bytes);
				return;
			}
			int from = 0;
			while (from < bytes.length) {
				int count = Math.min(bytes.length - from, BlobWriter.CHUNK_BYTES - this.chunk.size());
				this.chunk.write(bytes, from, count);
				from += count;
				if (this.chunk.size() == BlobWriter.CHUNK_BYTES) {
					store(this.chunk.toByteArray());
					this.chunk.reset();
				}
			}
		}

		private void store(byte[] whole) {
			if (this.chunks == 0) {
				this.writer.begin(this.userKey, this.key);
			}
			this.writer.addChunk(this.userKey, this.key, this.chunks++, whole);
		}

		/** Stores the last chunk, and returns the bytes for a version. */
		StoredBlob end() {
			byte[] rest = this.chunk.toByteArray();
			long size = (long) this.chunks * BlobWriter.CHUNK_BYTES + rest.length;
			boolean only = this.chunks == 0;
			if (!only && rest.length > 0) {
				store(rest);
			}
			return new StoredBlob(this.key, this.digest.digest(), size, only ? rest : null);
		}

		@Override
		public void giveUp() {
			if (this.chunks > 0) {
				this.writer.giveUp(this.userKey, this.key);
			}
		}

	}

}
