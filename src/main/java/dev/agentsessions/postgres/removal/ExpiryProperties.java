package dev.agentsessions.postgres.removal;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What happens to sessions that have expired.
 *
 * @param purgeInterval how long after one deletion of them the next one comes; 0 to keep
 * them for good, invisible
 */
@ConfigurationProperties("agent-sessions.expiry")
record ExpiryProperties(@DefaultValue("1h") Duration purgeInterval) {

	ExpiryProperties {
		if (purgeInterval.isNegative()) {
			throw new IllegalArgumentException("agent-sessions.expiry.purge-interval must not be negative");
		}
	}

	/** Whether expired sessions stay in the database. */
	boolean keepsExpired() {
		return this.purgeInterval.isZero();
	}

}
