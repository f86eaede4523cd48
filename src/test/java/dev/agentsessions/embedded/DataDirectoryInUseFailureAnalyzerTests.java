package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What a user is told when two services want the same folder. */
class DataDirectoryInUseFailureAnalyzerTests {

	private static final Pattern ENVIRONMENT_VARIABLE = Pattern.compile("AGENT\\w+");

	private final FailureAnalysis analysis = new DataDirectoryInUseFailureAnalyzer()
		.analyze(new DataDirectoryInUseException(Path.of("data")));

	@Test
	void namesAnEnvironmentVariableThatSetsTheFolder() {
		String variable = ENVIRONMENT_VARIABLE.matcher(this.analysis.getAction())
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
