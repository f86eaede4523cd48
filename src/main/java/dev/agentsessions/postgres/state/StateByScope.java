package dev.agentsessions.postgres.state;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.state.ScopedState;

/** State that was read, of one owner or of many. */
public final class StateByScope {

	private final Map<UUID, Map<String, JsonText>> byScope = new HashMap<>();

	public void add(UUID scopeKey, String key, JsonText value) {
		this.byScope.computeIfAbsent(scopeKey, (scope) -> new LinkedHashMap<>()).put(key, value);
	}

	/** The keys and values of one owner. */
	Map<String, JsonText> of(UUID scopeKey) {
		return this.byScope.getOrDefault(scopeKey, Map.of());
	}

	/** What an agent reads in a session. */
	public Map<String, JsonText> merged(SessionEntity session) {
		UUID[] scopeKeys = session.scopeKeys();
		return merged(scopeKeys[0], scopeKeys[1], scopeKeys[2]);
	}

	/** The same for a session that is known by the keys of the owners of its state. */
	public Map<String, JsonText> merged(UUID appKey, UUID userKey, UUID sessionKey) {
		return new ScopedState(of(appKey), of(userKey), of(sessionKey)).merged();
	}

}
