package dev.agentsessions.postgres.state;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.json.JsonText;
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
	public Map<String, JsonText> merged(Scopes scopes) {
		return new ScopedState(of(scopes.app()), of(scopes.user()), of(scopes.session())).merged();
	}

}
