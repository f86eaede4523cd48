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
 * The API keys that are accepted now. Hashes are compared in constant time, and all of
 * them always, so that the time an answer takes tells nothing.
 */
@Component
class ApiKeys {

	/** Callers by the hash of their key. */
	private volatile Map<ByteBuffer, Caller> callers = Map.of();

	ApiKeys(SecurityProperties properties) {
		replace(properties.apiKeys());
	}

	/** Accepts these keys from now on, and no others. */
	void replace(List<ApiKey> keys) {
		this.callers = keys.stream()
			.collect(Collectors.toUnmodifiableMap((key) -> ByteBuffer.wrap(HexFormat.of().parseHex(key.sha256())),
					ApiKey::toCaller, (one, other) -> other));
	}

	/** Whose key this is; empty if it is not known, in which case it may be a token. */
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
