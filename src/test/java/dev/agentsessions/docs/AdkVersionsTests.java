package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that all files name the versions of ADK that are in conformance/adk.properties.
 */
class AdkVersionsTests {

	private static final Properties VERSIONS = read();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			conformance/python/requirements-newest.txt  | google-adk[gcp]=={python}
			conformance/python/requirements-1.31.txt    | google-adk=={python.oldest}
			conformance/typescript/package.json         | "@google/adk": "{typescript}"
			clients/typescript/package.json             | "@google/adk": "{typescript}"
			conformance/java/pom.xml                    | <google-adk.version>{java}</google-adk.version>
			conformance/java-dev-server/pom.xml         | <google-adk.version>{java}</google-adk.version>
			conformance/java-dev-server/pom.xml         | <google-adk-dev.version>{java.dev}</google-adk-dev.version>
			clients/java/pom.xml                        | <google-adk.version>{java}</google-adk.version>
			integrations/spring-boot-starter/pom.xml    | <google-adk.version>{java}</google-adk.version>
			integrations/spring-boot-starter/README.md  | `com.google.adk:google-adk` {java}
			docs/frameworks.md                          | ADK Java {java}
			clients/go/go.mod                           | google.golang.org/adk/v2 v{go}
			conformance/rust/Cargo.toml                 | adk-session = { version = "{rust}"
			conformance/rust/Cargo.toml                 | adk-memory = { version = "{rust}"
			clients/rust/Cargo.lock                     | name = "adk-session"\\nversion = "{rust}"
			conformance/README.md                       | `com.google.adk:google-adk` {java} and {java.oldest}
			conformance/README.md                       | `google-adk` {python} and {python.oldest}
			conformance/README.md                       | `@google/adk` {typescript}
			conformance/README.md                       | com.google.adk:google-adk-dev` {java.dev}
			conformance/README.md                       | `adk-session` {rust}
			""", quoteCharacter = '\0')
	void aFileNamesTheVersion(Path file, String text) throws IOException {
		String expected = text.replace("\\n", "\n");
		for (String name : VERSIONS.stringPropertyNames()) {
			expected = expected.replace("{" + name + "}", VERSIONS.getProperty(name));
		}
		assertThat(Files.readString(file)).contains(expected);
	}

	private static Properties read() {
		try (var file = Files.newBufferedReader(Path.of("conformance/adk.properties"))) {
			Properties versions = new Properties();
			versions.load(file);
			return versions;
		}
		catch (IOException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

}
