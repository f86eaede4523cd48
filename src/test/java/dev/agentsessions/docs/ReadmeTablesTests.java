package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the tables of the reference must contain, and where the links of both pages lead.
 */
class ReadmeTablesTests {

	private static final Path REFERENCE = Path.of("docs/reference.md");

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private final Readme readme = Readme.read();

	private final Readme reference = new Readme(Files.readString(REFERENCE));

	ReadmeTablesTests() throws IOException {
	}

	@ParameterizedTest
	@MethodSource
	void settingsStandWithTheirDefault(String name, String defaultValue) {
		assertThat(this.reference.text()).contains("| `%s` | `%s` |".formatted(name, defaultValue));
	}

	static Stream<Object[]> settingsStandWithTheirDefault() throws IOException {
		JsonNode metadata = JsonMapper.shared().readTree(Files.readString(METADATA));
		return metadata.get("properties")
			.valueStream()
			.map((setting) -> new Object[] { setting.get("name").asString(),
					setting.path("defaultValue").asString("none") });
	}

	@Test
	void linksLeadToFiles() {
		assertThat(this.readme.links()).isNotEmpty().allSatisfy((link) -> assertThat(file(link)).exists());
		assertThat(this.reference.links()).isNotEmpty()
			.allSatisfy((link) -> assertThat(REFERENCE.resolveSibling(file(link))).exists());
	}

	private static Path file(String link) {
		return Path.of(link.split("#")[0]);
	}

}
