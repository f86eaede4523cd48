package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs on the page about clients are those that the conformance programs run. */
class ClientsPageTests {

	private static final Path PAGE = Path.of("docs/clients.md");

	@ParameterizedTest
	@CsvSource({ "java, java/src/main/java/conformance/Quickstart.java",
			"java, java-dev-server/src/main/java/conformance/DevServer.java", "python, python/quickstart.py",
			"python, ../clients/python/tests/quickstart.py", "py, ../clients/python/tests/agents/services.py",
			"js, typescript/quickstart.mjs", "rust, rust/src/quickstart.rs", "go, go/main.go" })
	void showsAProgramThatIsRun(String language, String file) throws IOException {
		String program = Files.readString(Path.of("conformance", file));

		assertThat(Files.readString(PAGE)).contains("```" + language + "\n" + program + "```");
	}

	@ParameterizedTest
	@CsvSource({ "go, go, examples/quickstart/main.go", "go, go, examples/life/main.go",
			"js, typescript, examples/quickstart.mjs", "js, typescript, examples/life.mjs",
			"java, java, src/test/java/myagent/Quickstart.java",
			"java, java, src/test/java/myagent/LifeOfASession.java", "rust, rust, examples/quickstart.rs",
			"rust, rust, examples/life.rs" })
	void showsAProgramThatIsRunWhereTheClientIs(String language, String client, String file) throws IOException {
		Path folder = Path.of("clients", client);
		String program = Files.readString(folder.resolve(file));

		assertThat(Files.readString(folder.resolve("README.md"))).contains("```" + language + "\n" + program + "```");
	}

}
