package dev.agentsessions.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.ApiKeys.ApiKey;

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

	/**
	 * Reads the API keys from the configuration, in the same way as at the start of the
	 * service.
	 */
	static class ConfiguredApiKeys {

		private static final ConfigurationPropertyName KEYS = ConfigurationPropertyName
			.of("agent-sessions.security.api-keys");

		private static final ConfigurationPropertyName FIRST = ConfigurationPropertyName.of(KEYS + "[0].name");

		/** The prefix of Spring Boot's names for property sources read from files. */
		private static final String FROM_FILE = "Config resource ";

		private final ConfigurableEnvironment environment;

		ConfiguredApiKeys(ConfigurableEnvironment environment) {
			this.environment = environment;
		}

		/**
		 * Returns the file that contains the keys; {@code null} if there are no keys, or
		 * they are configured elsewhere. All keys are in one property source: Spring Boot
		 * uses only one of two lists.
		 */
		@Nullable Path file() {
			return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
				.map((source) -> source.getConfigurationProperty(FIRST))
				.filter(Objects::nonNull)
				.findFirst()
				.map(ConfiguredApiKeys::file)
				.orElse(null);
		}

		private static @Nullable Path file(ConfigurationProperty property) {
			Origin origin = (property.getOrigin() instanceof PropertySourceOrigin source) ? source.getOrigin()
					: property.getOrigin();
			Resource resource = (origin instanceof TextResourceOrigin text) ? text.getResource() : null;
			try {
				return (resource != null && resource.isFile()) ? resource.getFile().toPath() : null;
			}
			catch (IOException ex) {
				return null;
			}
		}

		/**
		 * Reads the keys.
		 * @throws RuntimeException if a configuration file is missing or invalid, or
		 * there is no key
		 */
		List<ApiKey> read() {
			ConfigurableEnvironment fresh = new AbstractEnvironment() {
			};
			this.environment.getPropertySources()
				.stream()
				.filter((source) -> !isFromFile(source))
				.forEach(fresh.getPropertySources()::addLast);
			ConfigDataEnvironmentPostProcessor.applyTo(fresh, new DefaultResourceLoader(),
					new DefaultBootstrapContext(), this.environment.getActiveProfiles());
			List<ApiKey> keys = Binder.get(fresh).bindOrCreate(KEYS.toString(), Bindable.listOf(ApiKey.class));
			if (keys.isEmpty()) {
				throw new IllegalArgumentException(KEYS + ": there is none");
			}
			return keys;
		}

		private static boolean isFromFile(PropertySource<?> source) {
			return source.getName().startsWith(FROM_FILE)
					|| ConfigurationPropertySources.isAttachedConfigurationPropertySource(source);
		}

		/** Returns whether a setting is the list of keys or lies within it. */
		static boolean contains(ConfigurationPropertyName name) {
			return KEYS.equals(name) || KEYS.isAncestorOf(name);
		}

		/**
		 * Returns the reason why keys could not be read, without values, because a value
		 * may be a key in the wrong setting.
		 */
		static String reason(RuntimeException failure) {
			Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
			if (cause instanceof IllegalArgumentException
					&& String.valueOf(cause.getMessage()).startsWith(KEYS + ": ")) {
				return String.valueOf(cause.getMessage());
			}
			return (failure instanceof BindException bind) ? bind.getName() + " is not valid"
					: cause.getClass().getSimpleName();
		}

	}

}
