package dev.agentsessions.postgres;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A row that writers lock.
 *
 * @param scopeKey the session, or the owner of a state
 * @param key the key of the state, {@code null} for the row of the session
 */
record RowId(UUID scopeKey, @Nullable String key) {

	static RowId ofSession(UUID sessionKey) {
		return new RowId(sessionKey, null);
	}

	boolean isSession() {
		return this.key == null;
	}

}
