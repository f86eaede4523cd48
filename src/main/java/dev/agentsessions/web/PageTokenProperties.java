package dev.agentsessions.web;

import java.nio.charset.StandardCharsets;

import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/**
 * Settings for the signatures of page tokens.
 *
 * @param pageTokenKey the key that all replicas share, at least 32 characters of secret
 * text; without it, the replicas use a key that is stored in the database
 */
@Validated
@ConfigurationProperties("agent-sessions")
record PageTokenProperties(@Size(min = 32) @Nullable String pageTokenKey) {

	byte @Nullable [] key() {
		return (this.pageTokenKey != null) ? this.pageTokenKey.getBytes(StandardCharsets.UTF_8) : null;
	}

	/** Omits the key, so that it does not get into a log. */
	@Override
	public String toString() {
		return getClass().getSimpleName();
	}

}
