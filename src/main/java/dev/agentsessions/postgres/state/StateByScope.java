package dev.agentsessions.postgres.state;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateScope;

/** State of one or more scopes. */
public final class StateByScope {

	private final Map<UUID, Map<String, JsonText>> byScope = new HashMap<>();

	public void add(UUID scopeKey, String key, JsonText value) {
		this.byScope.computeIfAbsent(scopeKey, (scope) -> new LinkedHashMap<>()).put(key, value);
	}

	/** Returns the keys and values of one scope. */
	Map<String, JsonText> of(UUID scopeKey) {
		return this.byScope.getOrDefault(scopeKey, Map.of());
	}

	/** Returns the state that an agent sees in a session, keys with prefixes. */
	public Map<String, JsonText> merged(Scopes scopes) {
		Map<StateScope, Map<String, JsonText>> shared = new EnumMap<>(StateScope.class);
		scopes.shared().forEach((scope, key) -> shared.put(scope, of(key)));
		return StateScope.merged(of(scopes.session()), shared);
	}

}
