package dev.agentsessions.postgres;

import java.time.Duration;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Has expired sessions deleted from time to time. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class PurgeConfiguration implements SchedulingConfigurer {

	/**
	 * How long removals that were interrupted wait, if nothing else has to be removed.
	 */
	private static final Duration INTERRUPTED = Duration.ofHours(1);

	private final ExpiryProperties properties;

	private final Purge purge;

	PurgeConfiguration(ExpiryProperties properties, Purge purge) {
		this.properties = properties;
		this.purge = purge;
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		Duration interval = this.properties.keepsExpired() ? INTERRUPTED : this.properties.purgeInterval();
		tasks.addFixedDelayTask(new FixedDelayTask(this.purge, interval, interval));
	}

}
