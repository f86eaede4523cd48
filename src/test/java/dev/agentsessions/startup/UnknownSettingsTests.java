package dev.agentsessions.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.support.LogsErrors;

/** Starts with settings that exist, and with some that do not. */
class UnknownSettingsTests {

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private static final Path SOURCES = Path.of("src/main/java");

	private static final ConfigurableApplicationContext CONTEXT = start();

	@AfterAll
	static void close() {
		CONTEXT.close();
	}

	@ParameterizedTest
	@CsvSource({ "AGENTSESSIONS_SERCH_APPS, agent-sessions.search.apps",
			"AGENTSESSIONS_SEARCH_APP, agent-sessions.search.apps",
			"AGENTSESSIONS_SEARCH_MAX_TURNS, agent-sessions.search.max-turns",
			"agentsessions_serch_apps, agent-sessions.search.apps",
			"AGENTSESSIONS_BODY_TIMEOUT, agent-sessions.body-timeout",
			"AGENTSESSIONS_SECURITY_APIKEY_0_NAME, agent-sessions.security.api-keys",
			"AGENTSESSIONS_SEARCH, agent-sessions.search.apps" })
	void refusesAVariableThatNamesNoSetting(String variable, String nearest) {
		assertThatThrownBy(() -> check(variables(Map.of(variable, "x")))).isInstanceOf(StartupException.class)
			.hasMessageContaining(variable)
			.hasMessageEndingWith("Did you mean " + nearest + "?")
			.message()
			.hasLineCount(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "AGENTSESSIONS_SEARCH_APPS", "AGENTSESSIONS_SEARCH_APPS_0",
			"AGENTSESSIONS_SEARCH_MAXTURNS", "agentsessions_search_maxturns", "AGENT_SESSIONS_SEARCH_MAX_TURNS",
			"AGENTSESSIONS_VERTEX_APPS_1234567890", "AGENTSESSIONS_SECURITY_APIKEYS_0_NAME",
			"AGENTSESSIONS_SECURITY_JWT_USERCLAIM", "AGENT_SESSIONS_URL", "AGENT_SESSIONS_SERVICE_HOST",
			"AGENT_SESSIONS_PORT_8080_TCP", "AGENTSESSIONS_SERVICE_HOST", "AGENTSESSIONS_SERVICE_PORT",
			"AGENTSESSIONS_SERVICE_PORT_HTTP_METRICS", "AGENTSESSIONS_PORT", "AGENTSESSIONS_PORT_8080_TCP",
			"AGENTSESSIONS_PORT_8080_TCP_PROTO", "AGENTSESSIONS_PORT_8080_TCP_PORT", "AGENTSESSIONS_PORT_8080_TCP_ADDR",
			"AGENTSESSIONS_DB_SERVICE_HOST", "AGENTSESSIONS_DB_PORT_5432_TCP_ADDR", "AGENTSESSIONS",
			"LOGGING_LEVEL_DEV_AGENTSESSIONS_SECURITY_REQUESTLOG" })
	void acceptsAVariableOfASettingOrOfKubernetes(String variable) {
		assertThatCode(() -> check(variables(Map.of(variable, "x")))).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "agent-sessions.serch.apps", "agentSessions.search.app", "agent-sessions.max-turns",
			"agent-sessions.drain-period.seconds", "agent-sessions.security.rate-limit.brust", "agent-sessions.port",
			"agent-sessions.search" })
	void refusesAPropertyThatIsNoSetting(String name) {
		assertThatThrownBy(() -> check(new MapPropertySource("file", Map.of(name, "secret"))))
			.isInstanceOf(StartupException.class)
			.hasMessageContaining("\"" + name + "\" from property source \"file\". Did you mean agent-sessions.")
			.hasMessageNotContaining("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "agent-sessions.search.languages[my app]", "agent-sessions.search.apps[0]",
			"agent-sessions.search.maxTurns", "agentsessions.search.max_turns", "agent-sessions.vertex.apps.1234567890",
			"agent-sessionsearch.x", "agent-session.x" })
	void acceptsEverySpellingOfASettingAndEveryKeyOfAMap(String name) {
		assertThatCode(() -> check(new MapPropertySource("file", Map.of(name, "x")))).doesNotThrowAnyException();
	}

	@Test
	void acceptsASectionWithoutSettings() {
		assertThatCode(() -> check(new MapPropertySource("file", Map.of("agent-sessions.search", ""))))
			.doesNotThrowAnyException();
		assertThatThrownBy(() -> check(new MapPropertySource("file", Map.of("agent-sessions.serch", ""))))
			.isInstanceOf(StartupException.class);
	}

	@Test
	void namesEveryUnknownSettingOnce() {
		StartupException refused = catchThrowableOfType(StartupException.class, () -> check(
				new MapPropertySource("a", Map.of("agent-sessions.serch.apps", "", "agent-sessions.x", ""))));
		assertThat(refused).message().hasLineCount(2);
		assertThat(refused.action()).contains("docs/reference.md");
	}

	/** Also the settings that are read without a bean. */
	@Test
	void knowsEverySettingOfTheMetadataAndOfTheSources() throws IOException {
		List<String> names = JsonMapper.shared()
			.readTree(METADATA)
			.at("/properties")
			.valueStream()
			.map((setting) -> setting.at("/name"))
			.map(JsonNode::stringValue)
			.toList();
		assertThat(names).hasSizeGreaterThan(50);
		Pattern read = Pattern.compile("(?:Property\\(|\\$\\{|name = )\"?(agent-sessions[.\\w-]+)");
		try (Stream<Path> files = Files.walk(SOURCES)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				List<String> found = read.matcher(Files.readString(file))
					.results()
					.map((name) -> name.group(1))
					.toList();
				assertThat(names).as(file.toString()).containsAll(found);
			}
		}
		Map<String, Object> all = names.stream().collect(Collectors.toMap(Function.identity(), (name) -> "x"));
		assertThatCode(() -> check(new MapPropertySource("file", all))).doesNotThrowAnyException();
	}

	@Test
	@LogsErrors
	void refusesASettingOfAFileOfTheCommandLineAndOfTheSystem(@TempDir Path folder) throws IOException {
		Path file = Files.writeString(folder.resolve("more.yml"), "agent-sessions:\n  serch:\n    apps: travel\n");
		assertThatThrownBy(() -> start("--spring.config.additional-location=" + file))
			.isInstanceOf(StartupException.class)
			.hasMessageContaining("more.yml] - 3:11. Did you mean agent-sessions.search.apps?");
		assertThatThrownBy(() -> start("--agent-sessions.serch.apps=travel")).isInstanceOf(StartupException.class)
			.hasMessageContaining("\"agent-sessions.serch.apps\" from property source \"commandLineArgs\"");
		System.setProperty("agent-sessions.serch.apps", "travel");
		try {
			assertThatThrownBy(() -> start()).isInstanceOf(StartupException.class)
				.hasMessageContaining("from property source \"systemProperties\"");
		}
		finally {
			System.clearProperty("agent-sessions.serch.apps");
		}
		start("--spring.profiles.active=memory", "--agent-sessions.search.apps=travel").close();
	}

	private static PropertySource<?> variables(Map<String, Object> variables) {
		return new SystemEnvironmentPropertySource(
				"test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
	}

	/** Checks settings only: their values are not read. */
	private static void check(PropertySource<?> settings) {
		CONTEXT.getEnvironment().getPropertySources().addFirst(settings);
		try {
			new UnknownSettings().postProcessBeanFactory(CONTEXT.getBeanFactory());
		}
		finally {
			CONTEXT.getEnvironment().getPropertySources().remove(settings.getName());
		}
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(Settings.class).web(WebApplicationType.NONE).run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@ConfigurationPropertiesScan("dev.agentsessions")
	@Import(UnknownSettings.class)
	static class Settings {

	}

}
