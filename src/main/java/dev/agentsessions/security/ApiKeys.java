package dev.agentsessions.security;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.AuditLog;

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

}
