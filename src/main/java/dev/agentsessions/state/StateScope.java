package dev.agentsessions.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.agentsessions.json.JsonText;

/**
 * The scope of a state key, selected by the prefix of the key. Only this class contains
 * the prefixes.
 */
public enum StateScope {

	/** Shared by all users and sessions of an app. */
	APP("app:"),

	/** Shared by all sessions of one user of an app. */
	USER("user:"),

	/** For the current invocation only, never stored. */
	TEMP("temp:"),

	/** Belongs to one session: every key without one of the other prefixes. */
	SESSION("");

	private static final List<StateScope> PREFIXED = List.of(APP, USER, TEMP);

	private final String prefix;

	StateScope(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns the scope of a key. Prefixes are case-sensitive: {@code App:x} is a session
	 * key.
	 */
	public static StateScope of(String key) {
		for (StateScope scope : PREFIXED) {
			if (key.startsWith(scope.prefix)) {
				return scope;
			}
		}
		return SESSION;
	}

	/** Returns whether values of this scope outlive the invocation. */
	public boolean isStored() {
		return this != TEMP;
	}

	/** Returns a key without the prefix of this scope, as it is stored. */
	public String strip(String key) {
		return key.substring(this.prefix.length());
	}

	/** Returns a stored key with the prefix of this scope, as an agent reads it. */
	public String qualify(String storedKey) {
		return this.prefix + storedKey;
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

}
