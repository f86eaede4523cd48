package dev.agentsessions.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.validation.Constraint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.startup.StartupException.InvalidSettingsAnalyzer;

/** A setting out of its range stops the start, and no value is shown. */
class InvalidSettingsTests {

	/** Types whose values can be too small or too large. */
	private static final Set<Class<?>> RANGES = Set.of(int.class, Integer.class, double.class, Duration.class,
			DataSize.class, BigDecimal.class);

	private final ApplicationContextRunner program = new ApplicationContextRunner()
		.withUserConfiguration(AllSettings.class);

	@ParameterizedTest
	@CsvSource({ "max-body-size, 0, must be 1B to 1GB", "max-body-size, 2GB, must be 1B to 1GB",
			"body-timeout, 0, must be longer than or equal to 1 milli",
			"max-json-depth, 501, must be between 1 and 500", "max-json-tokens, 0, must be greater than 0",
			"drain-period, -1s, must be longer than", "page-token-key, tooshort, size must be between 32 and",
			"append.group-size, 1001, must be between 1 and 1000", "append.writers, 65, must be between 1 and 64",
			"append.waiting-size, -1, must be 1B to", "limits.page-size, 100001, must be between 1 and 100000",
			"limits.event-size, 0, must be 1B to", "vertex.max-body-size, 2GB, must be 1B to 1GB",
			"vertex.session-ttl, 0, must be longer than", "watch.max, -1, must be greater than or equal to 0",
			"watch.heartbeat, 0, must be longer than", "tracing.sampling, 1.1, must be less than or equal to 1",
			"expiry.purge-interval, -1s, must be longer than", "search.max-turns, 0, must be greater than 0",
			"search.embeddings.dimensions, 8001, must be between 1 and 8000",
			"security.rate-limit.burst, 0, must be greater than 0",
			"security.address-rate-limit.requests-per-second, -1, must be greater than or equal to 0",
			"console.prices[0].model, m, 'input must not be null'",
			"console.prices[0].cached, -1, must be greater than or equal to 0" })
	void namesTheSettingAndTheRule(String name, String value, String rule) {
		this.program.withPropertyValues("agent-sessions." + name + "=" + value).run((context) -> {
			FailureAnalysis analysis = new InvalidSettingsAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("agent-sessions." + name.replaceAll("\\.model$", ""), rule)
				.doesNotContain("tooshort");
		});
	}

	@Test
	void acceptsTheDefaults() {
		this.program.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void eachNumberDurationAndSizeHasARange() {
		this.program
			.run((context) -> assertThat(settings(context).flatMap((type) -> withoutRange(type).stream())).isEmpty());
	}

	private static Stream<Class<?>> settings(ConfigurableApplicationContext context) {
		return context.getBeansWithAnnotation(ConfigurationProperties.class)
			.values()
			.stream()
			.map(Object::getClass)
			.filter((type) -> type.getName().startsWith("dev.agentsessions."));
	}

	private static List<String> withoutRange(Class<?> settings) {
		List<String> names = new ArrayList<>();
		boolean isNested = !settings.isAnnotationPresent(ConfigurationProperties.class);
		for (RecordComponent setting : settings.getRecordComponents()) {
			Class<?> type = setting.getType();
			boolean isChecked = isNested || settings.isAnnotationPresent(Validated.class);
			if (RANGES.contains(type) && !(isChecked && hasConstraint(setting))) {
				names.add(settings.getSimpleName() + "." + setting.getName());
			}
		}
		Arrays.stream(settings.getDeclaredClasses())
			.filter(Class::isRecord)
			.forEach((nested) -> names.addAll(withoutRange(nested)));
		return names;
	}

	private static boolean hasConstraint(RecordComponent setting) {
		return Arrays.stream(setting.getAccessor().getAnnotations())
			.anyMatch((annotation) -> annotation.annotationType().isAnnotationPresent(Constraint.class));
	}

	@SpringBootConfiguration
	@ConfigurationPropertiesScan(basePackageClasses = AgentSessionsApplication.class)
	static class AllSettings {

	}

}
