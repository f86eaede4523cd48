package dev.agentsessions.postgres.removal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Schedules the purge of expired sessions and the sweep of removed ones. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class PurgeConfiguration implements SchedulingConfigurer {

	/** The sweep usually finds an empty table. */
	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private final ExpiryProperties properties;

	private final Purge purge;

	private final KeySweeper sweeper;

	PurgeConfiguration(ExpiryProperties properties, Purge purge, KeySweeper sweeper, MeterRegistry registry) {
		this.properties = properties;
		this.purge = purge;
		this.sweeper = sweeper;
		TimeGauge.builder("agentsessions.purge.interval", properties.purgeInterval()::toMillis, TimeUnit.MILLISECONDS)
			.description("How long after one purge the next one begins; 0 if there is none")
			.register(registry);
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this.sweeper, SWEEP_INTERVAL, SWEEP_INTERVAL));
		if (!this.properties.keepsExpired()) {
			Duration interval = this.properties.purgeInterval();
			tasks.addFixedDelayTask(new FixedDelayTask(this.purge, interval, interval));
		}
	}

}
