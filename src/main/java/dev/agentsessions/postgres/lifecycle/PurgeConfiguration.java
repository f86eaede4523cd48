package dev.agentsessions.postgres.lifecycle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.validation.annotation.Validated;

/** Schedules the purge of expired sessions and the sweep of removed ones. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class PurgeConfiguration implements SchedulingConfigurer {

	/** The sweep usually finds an empty table. */
	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	/** The look reads an index of each table; by then a new replica has warmed up. */
	private static final Duration LOOK_INTERVAL = Duration.ofDays(1);

	private static final Duration FIRST_LOOK = Duration.ofHours(1);

	private final ExpiryProperties properties;

	private final Purge purge;

	private final KeySweeper sweeper;

	private final OwnerlessRows ownerless;

	PurgeConfiguration(ExpiryProperties properties, Purge purge, KeySweeper sweeper, OwnerlessRows ownerless,
			MeterRegistry registry) {
		this.properties = properties;
		this.purge = purge;
		this.sweeper = sweeper;
		this.ownerless = ownerless;
		TimeGauge.builder("agentsessions.purge.interval", properties.purgeInterval()::toMillis, TimeUnit.MILLISECONDS)
			.description("How long after one purge the next one begins; 0 if there is none")
			.register(registry);
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this.sweeper, SWEEP_INTERVAL, SWEEP_INTERVAL));
		tasks.addFixedDelayTask(new FixedDelayTask(this.ownerless, LOOK_INTERVAL, FIRST_LOOK));
		if (!this.properties.keepsExpired()) {
			Duration interval = this.properties.purgeInterval();
			tasks.addFixedDelayTask(new FixedDelayTask(this.purge, interval, interval));
		}
	}

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

}
