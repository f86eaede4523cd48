package dev.agentsessions.web;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings for the signatures of page tokens.
 *
 * @param pageTokenKey the key that all replicas share, at least 32 bytes of secret text;
 * without it, the replicas use a key that is stored in the database
 */
@ConfigurationProperties("agent-sessions")
record PageTokenProperties(@Nullable String pageTokenKey) {

	private static final int MIN_BYTES = 32;

	PageTokenProperties {
		HttpProperties.check(pageTokenKey == null || bytes(pageTokenKey).length >= MIN_BYTES,
				"agent-sessions.page-token-key must have at least " + MIN_BYTES + " bytes");
	}

	byte @Nullable [] key() {
		return (this.pageTokenKey != null) ? bytes(this.pageTokenKey) : null;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Omits the key, so that it does not get into a log. */
	@Override
	public String toString() {
		return getClass().getSimpleName();
	}

}
