package dev.agentsessions.postgres.artifact;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.NewArtifact;

/**
 * The key of an artifact in the tables.
 *
 * @param userKey of the user
 * @param scopeKey of the session, or of the user
 * @param name the name, with the prefix {@code user:} if it belongs to the user
 */
record ArtifactKey(UUID userKey, UUID scopeKey, String name) {

	/**
	 * Of the rows of a version and of their index entries, without what a client sends.
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
