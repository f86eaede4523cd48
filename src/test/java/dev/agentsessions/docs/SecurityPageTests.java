package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the tables of threats and faults names a test that is there. */
class SecurityPageTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| .* \\| .* \\| (.*Tests.*) \\|$");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)`");

	@ParameterizedTest
	@MethodSource
	void namesTestsThatAreThere(String test) throws IOException {
		try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
			assertThat(sources).anyMatch((source) -> source.endsWith(test + ".java"));
		}
	}

	static Stream<String> namesTestsThatAreThere() throws IOException {
		return ROW.matcher(Files.readString(Path.of("docs/security.md")))
			.results()
			.map((row) -> row.group(1))
			.flatMap((tests) -> TEST.matcher(tests).results())
			.map((MatchResult test) -> test.group(1))
			.distinct();
	}

}
