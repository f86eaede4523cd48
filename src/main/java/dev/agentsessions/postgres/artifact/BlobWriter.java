package dev.agentsessions.postgres.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.artifact.ArtifactContent;

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

	private static final String FIND_EQUAL = """
			select blob_key from artifact_blobs where user_key = ? and digest = ? for no key update
			""";

	/**
	 * Two statements in one round trip: Citus executes no insert within another
	 * statement.
	 */
	private static final String INSERT_ONLY = """
			insert into artifact_blobs (user_key, blob_key, digest, size) values (?, ?, ?, ?)
			on conflict (user_key, digest) where digest is not null do nothing;
			insert into artifact_chunks (user_key, blob_key, number, bytes)
			select user_key, blob_key, 0, ? from artifact_blobs where user_key = ? and blob_key = ?
			""";

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
		UUID key = SessionRow.newKey();
		MessageDigest digest = Sha256.begin();
		byte[] chunk = bytes.readNBytes(CHUNK_BYTES);
		digest.update(chunk);
		if (chunk.length < CHUNK_BYTES) {
			return new StoredBlob(key, digest.digest(), chunk.length, chunk);
		}
		check.run();
		try {
			begin(userKey, key);
			long size = 0;
			for (int number = 0; chunk.length > 0; number++) {
				addChunk(userKey, key, number, chunk);
				size += chunk.length;
				chunk = bytes.readNBytes(CHUNK_BYTES);
				digest.update(chunk);
			}
			return new StoredBlob(key, digest.digest(), size, null);
		}
		catch (IOException | RuntimeException | Error ex) {
			giveUp(userKey, key);
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
	void giveUp(UUID userKey, StoredBlob blob) {
		if (blob.only() == null) {
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

	/**
	 * Makes uploaded bytes findable by their digest, or finds equal bytes and locks their
	 * row. Within the transaction that inserts the version.
	 * @return the bytes
	 * @throws org.springframework.dao.DuplicateKeyException if another save has stored
	 * equal bytes meanwhile. The transaction may be repeated
	 */
	ArtifactContent complete(UUID userKey, StoredBlob blob) {
		return ArtifactStatements.content(userKey, completed(userKey, blob), blob.digest());
	}

	private UUID completed(UUID userKey, StoredBlob blob) {
		byte[] only = blob.only();
		if (only != null) {
			return insertOnly(userKey, blob, only);
		}
		List<UUID> equal = findEqual(userKey, blob);
		if (!equal.isEmpty()) {
			this.jdbc.update(GIVE_UP, userKey, blob.key());
			return equal.get(0);
		}
		int completed = this.jdbc.update(COMPLETE,
				(statement) -> new StatementParameters(statement).add(blob.digest())
					.add(Long.valueOf(blob.size()))
					.add(userKey)
					.add(blob.key())
					.add(userKey)
					.add(blob.key())
					.add(Long.valueOf(blob.size())));
		if (completed == 0) {
			throw interrupted();
		}
		return blob.key();
	}

	/** Another save may store or the sweep may delete equal bytes at the same time. */
	private UUID insertOnly(UUID userKey, StoredBlob blob, byte[] only) {
		for (int attempt = 0; attempt < 3; attempt++) {
			int inserted = this.jdbc.update(INSERT_ONLY, userKey, blob.key(), blob.digest(), blob.size(), only, userKey,
					blob.key());
			List<UUID> stored = (inserted == 0) ? findEqual(userKey, blob) : List.of(blob.key());
			if (!stored.isEmpty()) {
				return stored.get(0);
			}
		}
		throw new SessionException.Unavailable("Others save and delete equal bytes all the time. Please retry.");
	}

	private List<UUID> findEqual(UUID userKey, StoredBlob blob) {
		return this.jdbc.query(FIND_EQUAL, (row, number) -> row.getObject("blob_key", UUID.class), userKey,
				blob.digest());
	}

	/** Returns the bytes of a chunk from an index on. */
	static byte[] from(byte[] chunk, int index) {
		return (index == 0) ? chunk : Arrays.copyOfRange(chunk, index, chunk.length);
	}

}
