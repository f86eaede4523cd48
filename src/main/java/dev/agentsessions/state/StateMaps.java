package dev.agentsessions.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.JsonText;

/** State as maps of keys and values. */
public final class StateMaps {

	private StateMaps() {
	}

	/**
	 * Returns the state that an agent reads, shared keys with their prefix.
	 * @param session the state of its session
	 * @param shared the state that the session shares with others, keys without prefix
	 */
	public static Map<String, JsonText> merged(Map<String, JsonText> session,
			Map<StateScope, Map<String, JsonText>> shared) {
		Map<String, JsonText> merged = new LinkedHashMap<>(session);
		shared.forEach((scope, state) -> state.forEach((key, value) -> merged.put(scope.qualify(key), value)));
		return Collections.unmodifiableMap(merged);
	}

	/**
	 * Applies changes to the state of one scope. A value replaces the old one, also if it
	 * is JSON null; {@link RemovalMarker#REMOVED} removes the key.
	 * @return the changed copy
	 */
	public static Map<String, JsonText> apply(Map<String, JsonText> values, Map<String, JsonText> changes) {
		Map<String, JsonText> changed = new LinkedHashMap<>(values);
		changed.putAll(changes);
		changed.values().removeIf(RemovalMarker::is);
		return changed;
	}

}
