package dev.agentsessions.postgres.event;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A row that writers lock.
 *
 * @param scopeKey the key of the session, or of the owner of the state
 * @param key the key in the state, {@code null} for the row of the session
 */
record RowKey(UUID scopeKey, @Nullable String key) {

	static RowKey ofSession(UUID sessionKey) {
		return new RowKey(sessionKey, null);
	}

	boolean isSession() {
		return this.key == null;
	}

}
