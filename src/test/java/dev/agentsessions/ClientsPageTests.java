package dev.agentsessions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The programs on the page about clients are those that the conformance programs run. */
class ClientsPageTests {

	private static final Path PAGE = Path.of("docs/clients.md");

	@ParameterizedTest
	@CsvSource({ "java, java/src/main/java/conformance/Quickstart.java", "python, python/quickstart.py",
			"js, typescript/quickstart.mjs", "rust, rust/src/quickstart.rs", "go, go/main.go" })
	void showsAProgramThatIsRun(String language, String file) throws IOException {
		String program = Files.readString(Path.of("conformance", file));

		assertThat(Files.readString(PAGE)).contains("```" + language + "\n" + program + "```");
	}

}
