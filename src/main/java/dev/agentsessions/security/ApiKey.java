package dev.agentsessions.security;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.session.Sha256;

/**
 * An accepted API key. The key itself is not stored.
 *
 * @param name the name of the caller in logs
 * @param sha256 the SHA-256 of the key, in hexadecimal digits
 * @param apps the apps the key is for, * for all; the role metrics needs none
 * @param role metrics, reader, agent or administrator
 */
record ApiKey(String name, String sha256, List<String> apps, Role role) {

	private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

	/**
	 * Creates a key. Error messages contain no value, because it may be a key in the
	 * wrong setting.
	 */
	ApiKey(@Nullable String name, @Nullable String sha256, @Nullable List<String> apps, @Nullable Role role) {
		this.name = checked(name, (value) -> !value.isBlank(), "name must be given");
		this.sha256 = checked(sha256, (value) -> SHA256.matcher(value).matches(),
				"sha256 must be the 64 hexadecimal digits that --new-api-key prints");
		this.role = checked(role, (value) -> true, "role must be metrics, reader, agent or administrator");
		this.apps = checked((apps != null) ? apps : List.of(), (value) -> !value.isEmpty() || role == Role.METRICS,
				"apps must list the apps the key is for, or be *");
	}

	/** Returns the SHA-256 hash of a key. */
	static byte[] hash(String key) {
		return Sha256.of(key);
	}

	Caller toCaller() {
		return new Caller(this.name, this.role, Set.copyOf(this.apps), null, true);
	}

	private static <T> T checked(@Nullable T value, Predicate<T> valid, String rule) {
		if (value == null || !valid.test(value)) {
			throw new IllegalArgumentException("agent-sessions.security.api-keys: " + rule);
		}
		return value;
	}

}
