package dev.agentsessions.postgres.artifact;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.UUID;

import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ArtifactUpload;

/** Bytes that arrive in pieces of any size, and are stored in chunks. Not thread-safe. */
final class BlobUpload implements ArtifactUpload {

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
