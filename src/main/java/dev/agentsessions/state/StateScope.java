package dev.agentsessions.state;

import java.util.List;

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

}
