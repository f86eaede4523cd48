package dev.agentsessions.postgres.artifact;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.transfer.ArtifactUpload;

/** Bytes that arrive in pieces of any size, and are stored in chunks. Not thread-safe. */
final class BlobUpload implements ArtifactUpload {

	private final BlobWriter writer;

	private final UUID userKey;

	private final UUID key = SessionRow.newKey();

	private final MessageDigest digest = Sha256.begin();

	private byte @Nullable [] wholeDigest;

	private final ByteArrayOutputStream chunk = new ByteArrayOutputStream();

	private int chunks;

	private long size;

	BlobUpload(BlobWriter writer, UUID userKey) {
		this.writer = writer;
		this.userKey = userKey;
	}

	@Override
	public void add(byte[] bytes) {
		this.digest.update(bytes);
		this.size += bytes.length;
		int from = 0;
		while (from < bytes.length) {
			int count = Math.min(bytes.length - from, BlobWriter.CHUNK_BYTES - this.chunk.size());
			this.chunk.write(bytes, from, count);
			from += count;
			if (this.chunk.size() == BlobWriter.CHUNK_BYTES) {
				store();
			}
		}
	}

	private void store() {
		if (this.chunks == 0) {
			this.writer.begin(this.userKey, this.key);
		}
		this.writer.addChunk(this.userKey, this.key, this.chunks++, this.chunk.toByteArray());
		this.chunk.reset();
	}

	@Override
	public long size() {
		return this.size;
	}

	@Override
	public String digest() {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(digestBytes());
	}

	private byte[] digestBytes() {
		byte[] whole = this.wholeDigest;
		if (whole == null) {
			whole = this.digest.digest();
			this.wholeDigest = whole;
		}
		return whole;
	}

	/** Stores the last chunk, and returns the bytes for a version. */
	StoredBlob end() {
		boolean only = this.chunks == 0;
		byte[] rest = this.chunk.toByteArray();
		if (!only && rest.length > 0) {
			store();
		}
		return new StoredBlob(this.key, digestBytes(), this.size, only ? rest : null);
	}

	@Override
	public void giveUp() {
		if (this.chunks > 0) {
			this.writer.giveUp(this.userKey, this.key);
		}
	}

}
