package dev.agentsessions.postgres.removal;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of expired sessions.
 *
 * @param purgeInterval the time between two purges, which delete expired sessions; 0
 * keeps them in the database, invisible
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
