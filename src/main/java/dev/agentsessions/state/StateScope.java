package dev.agentsessions.state;

import java.util.List;

/**
 * Whom a state key belongs to. The prefix of a key says it; this is the only place that
 * spells a prefix.
 */
public enum StateScope {

	/** Shared by all users and sessions of an app. */
	APP("app:"),

	/** Shared by all sessions of one user of an app. */
	USER("user:"),

	/** Meant for the current invocation only, never stored. */
	TEMP("temp:"),

	/** One session: every key without one of the other prefixes. */
	SESSION("");

	private static final List<StateScope> PREFIXED = List.of(APP, USER, TEMP);

	private final String prefix;

	StateScope(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * The scope a key names. Prefixes are case-sensitive: {@code App:x} is a session key.
	 */
	public static StateScope of(String key) {
		for (StateScope scope : PREFIXED) {
			if (key.startsWith(scope.prefix)) {
				return scope;
			}
		}
		return SESSION;
	}

	/** Whether values of this scope outlive the invocation. */
	public boolean isStored() {
		return this != TEMP;
	}

	/** The key without this scope's prefix, as it is stored. */
	public String strip(String key) {
		return key.substring(this.prefix.length());
	}

	/** The stored key with this scope's prefix, as an agent reads it. */
	public String qualify(String storedKey) {
		return this.prefix + storedKey;
	}

}
