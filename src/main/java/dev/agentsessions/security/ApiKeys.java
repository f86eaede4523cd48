package dev.agentsessions.security;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.springframework.stereotype.Component;

import dev.agentsessions.security.caller.Caller;
import dev.agentsessions.security.caller.CallerAuthentication;

/**
 * The API keys that are accepted now. A search compares all hashes, each in constant
 * time, so that the response time reveals nothing about the keys.
 */
@Component
class ApiKeys {

	/** The callers by the hash of their key. */
	private volatile Map<ByteBuffer, Caller> callers = Map.of();

	ApiKeys(SecurityProperties properties) {
		replace(properties.apiKeys());
	}

	/** Replaces the accepted keys. */
	void replace(List<ApiKey> keys) {
		this.callers = keys.stream()
			.collect(Collectors.toUnmodifiableMap((key) -> ByteBuffer.wrap(HexFormat.of().parseHex(key.sha256())),
					ApiKey::toCaller, (one, other) -> other));
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
