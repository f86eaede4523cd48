package dev.agentsessions.postgres.artifact;

import java.util.Base64;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that a save refers to.
 *
 * @param key identifies their row
 * @param digest SHA-256
 * @param size the number of bytes
 * @param only all bytes if they fit into one chunk, which is not stored yet; {@code null}
 * if their chunks are stored
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
