package dev.agentsessions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What the README's tables must contain. */
class ReadmeTablesTests {

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private final Readme readme = Readme.read();

	ReadmeTablesTests() throws IOException {
	}

	@ParameterizedTest
	@MethodSource
	void settingsStandWithTheirVariableAndDefault(String name, String defaultValue) {
		String variable = name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
		assertThat(this.readme.text()).contains("| `%s` | `%s` | `%s` |".formatted(name, variable, defaultValue));
	}

	static Stream<Object[]> settingsStandWithTheirVariableAndDefault() throws IOException {
		JsonNode metadata = JsonMapper.shared().readTree(Files.readString(METADATA));
		return metadata.get("properties")
			.valueStream()
			.map((setting) -> new Object[] { setting.get("name").asString(),
					setting.path("defaultValue").asString("none") });
	}

	@Test
	void linksLeadToFiles() {
		assertThat(this.readme.links()).isNotEmpty().allSatisfy((link) -> assertThat(Path.of(link)).exists());
	}

}
