package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks that the reference lists every setting with its default. */
class ReferencePageTests {

	private static final Path REFERENCE = Path.of("docs/reference.md");

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private final MarkdownPage reference = MarkdownPage.read(REFERENCE);

	ReferencePageTests() throws IOException {
	}

	@ParameterizedTest
	@MethodSource
	void settingsStandWithTheirDefault(String name, String defaultValue) {
		String row = "| `%s` | `%s` |".formatted(name, defaultValue);
		assertThat(this.reference.text().contains(row)).as("%s has a row %s", REFERENCE, row).isTrue();
	}

	static Stream<Object[]> settingsStandWithTheirDefault() throws IOException {
		JsonNode metadata = JsonMapper.shared().readTree(Files.readString(METADATA));
		return metadata.get("properties")
			.valueStream()
			.map((setting) -> new Object[] { setting.get("name").asString(),
					setting.path("defaultValue").asString("none") });
	}

}
