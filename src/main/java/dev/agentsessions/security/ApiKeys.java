package dev.agentsessions.security;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.ApiKeyReload.ConfiguredApiKeys;
import dev.agentsessions.security.Caller.CallerAuthentication;
import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.Sha256;

/**
 * The API keys that are accepted now. A search compares all hashes, each in constant
 * time, so that the response time reveals nothing about the keys.
 */
@Component
class ApiKeys {

	/** The callers by the hash of their key. */
	private volatile Map<ByteBuffer, Caller> callers = Map.of();

	private final AuditLog audit;

	ApiKeys(SecurityProperties properties, AuditLog audit) {
		this.audit = audit;
		replace(properties.apiKeys());
	}

	/** Replaces the accepted keys. */
	void replace(List<ApiKey> keys) {
		Map<ByteBuffer, Caller> before = this.callers;
		this.callers = keys.stream()
			.collect(Collectors.toUnmodifiableMap((key) -> ByteBuffer.wrap(HexFormat.of().parseHex(key.sha256())),
					ApiKey::toCaller, (one, other) -> other));
		if (!this.callers.equals(before)) {
			this.audit.add("api-keys.change",
					Map.of("added", missing(this.callers, before), "removed", missing(before, this.callers)));
		}
	}

	/** Returns the names of keys that others do not have in the same form. */
	private static List<String> missing(Map<ByteBuffer, Caller> keys, Map<ByteBuffer, Caller> others) {
		return keys.entrySet()
			.stream()
			.filter((key) -> !key.getValue().equals(others.get(key.getKey())))
			.map((key) -> key.getValue().name())
			.sorted()
			.toList();
	}

	/**
	 * Returns the caller with a key; empty if the key is unknown, and so may be a token.
	 */
	Optional<CallerAuthentication> find(String key) {
		byte[] hash = ApiKey.hash(key);
		Caller found = null;
		for (Map.Entry<ByteBuffer, Caller> known : this.callers.entrySet()) {
			if (MessageDigest.isEqual(known.getKey().array(), hash)) {
				found = known.getValue();
			}
		}
		return Optional.ofNullable(found)
			.map((caller) -> new CallerAuthentication(caller,
					(now) -> caller.equals(this.callers.get(ByteBuffer.wrap(hash)))));
	}

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

	/**
	 * Says which setting of the API keys is not valid. Comes before the analyzer of
	 * Spring Boot, which would show the value, and this may be a key.
	 */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class ApiKeysFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

		private static final String ACTION = """
				Each key is an element of the list with name, sha256, apps, and the role metrics, reader, agent or \
				administrator. --new-api-key prints a key and its settings.""";

		@Override
		protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
			if (!ConfiguredApiKeys.contains(cause.getName())) {
				return null;
			}
			Origin origin = Origin.from(cause.getProperty());
			String place = (origin != null) ? ", from " + origin : "";
			return new FailureAnalysis(ConfiguredApiKeys.reason(cause) + place, ACTION, cause);
		}

	}

}
