package dev.agentsessions.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

/**
 * Reads the API keys again when their configuration file has changed. Invalid content
 * leaves the keys unchanged, so that a mistake in the file locks out no caller. Keys from
 * environment variables or arguments stay until the service ends.
 */
@Component
class ApiKeyReload implements SchedulingConfigurer, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(ApiKeyReload.class);

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final ConfiguredApiKeys configured;

	private final ApiKeys keys;

	private final @Nullable Path file;

	private byte[] content = {};

	private volatile boolean rejected;

	ApiKeyReload(ConfigurableEnvironment environment, ApiKeys keys, MeterRegistry registry) {
		this.configured = new ConfiguredApiKeys(environment);
		this.keys = keys;
		this.file = this.configured.file();
		Gauge.builder("agentsessions.api.keys.rejected", () -> this.rejected ? 1 : 0)
			.description("1 while the file of API keys cannot be used, and older keys stay valid")
			.register(registry);
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		if (this.file != null) {
			tasks.addFixedDelayTask(new FixedDelayTask(this, INTERVAL, Duration.ZERO));
		}
	}

	/** Compares the content: a replaced file may have any modification time. */
	@Override
	public void run() {
		byte[] read = read(this.file);
		if (!Arrays.equals(read, this.content)) {
			this.content = read;
			replace();
		}
	}

	/** Treats an unreadable file as an empty one, which is invalid, too. */
	private static byte[] read(@Nullable Path file) {
		try {
			return (file != null) ? Files.readAllBytes(file) : new byte[0];
		}
		catch (IOException ex) {
			return new byte[0];
		}
	}

	private void replace() {
		try {
			List<ApiKey> read = this.configured.read();
			this.keys.replace(read);
			this.rejected = false;
			logger.info("Read {} API keys from {}", read.size(), this.file);
		}
		catch (RuntimeException ex) {
			this.rejected = true;
			logger.error("The API keys stay as they were, because {} cannot be used: {}", this.file,
					ConfiguredApiKeys.reason(ex));
		}
	}

}
