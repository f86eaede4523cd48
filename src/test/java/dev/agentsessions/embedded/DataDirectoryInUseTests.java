package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.agentsessions.embedded.EmbeddedDatabaseConfiguration.EmbeddedProperties;

/** What a user is told when two services want the same folder. */
class DataDirectoryInUseTests {

	private static final Pattern ENVIRONMENT_VARIABLE = Pattern.compile("AGENT\\w+");

	@Test
	void namesAnEnvironmentVariableThatSetsTheFolder() {
		String variable = ENVIRONMENT_VARIABLE.matcher(DataDirectory.inUse(Path.of("data")).action())
			.results()
			.map(MatchResult::group)
			.findFirst()
			.orElseThrow();
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(variable, "elsewhere")));
		EmbeddedProperties properties = Binder.get(environment)
			.bindOrCreate("agent-sessions.embedded", EmbeddedProperties.class);
		assertThat(properties.dataDirectory()).isEqualTo(Path.of("elsewhere"));
	}

}
