package dev.agentsessions.postgres.artifact;

import java.util.UUID;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.artifact.ArtifactName;

/**
 * The key of an artifact in the tables.
 *
 * @param userKey of the user
 * @param scopeKey of the session, or of the user
 * @param name the name, with the prefix {@code user:} if it belongs to the user
 */
record ArtifactKey(UUID userKey, UUID scopeKey, String name) {

	/** Returns the key of an artifact of a session. */
	static ArtifactKey of(ArtifactName name, UUID sessionKey) {
		return new ArtifactKey(ScopeKey.of(name.user()), sessionKey, name.name());
	}

	/** Returns the key of an artifact of a user. */
	static ArtifactKey of(ArtifactName name) {
		return of(name, ScopeKey.of(name.user()));
	}

	boolean isOfUser() {
		return this.scopeKey.equals(this.userKey);
	}

}
