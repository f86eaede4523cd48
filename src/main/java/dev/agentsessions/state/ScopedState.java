package dev.agentsessions.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.JsonText;

/**
 * The state that an agent reads: that of its session, of the user and of the app.
 *
 * @param app the state of the app, keys without prefix
 * @param user the state of the user, keys without prefix
 * @param session the state of the session
 */
public record ScopedState(Map<String, JsonText> app, Map<String, JsonText> user, Map<String, JsonText> session) {

	/** Returns all keys in one map, shared keys with their prefix. */
	public Map<String, JsonText> merged() {
		Map<String, JsonText> merged = new LinkedHashMap<>(this.session);
		this.app.forEach((key, value) -> merged.put(StateScope.APP.qualify(key), value));
		this.user.forEach((key, value) -> merged.put(StateScope.USER.qualify(key), value));
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
