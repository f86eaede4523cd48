package dev.agentsessions.postgres.lifecycle;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of expired sessions.
 *
 * @param purgeInterval the time between two purges, which delete expired sessions; 0
 * keeps them in the database, invisible
 */
@Validated
@ConfigurationProperties("agent-sessions.expiry")
record ExpiryProperties(@DefaultValue("1h") @DurationMin Duration purgeInterval) {

	/** Whether expired sessions stay in the database. */
	boolean keepsExpired() {
		return this.purgeInterval.isZero();
	}

}
