package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.agentsessions.support.HttpTest;

/** Runs the commands of the README and compares their output. */
@HttpTest
class ReadmeTests {

	static final Path PAGE = Path.of("README.md");

	/** Other tests share the service, so the session of the README is deleted. */
	private static final MarkdownPage.Example CLEAN_UP = MarkdownPage.Example.ofJson(
			"curl -s -X DELETE http://localhost:8080/apps/demo/users/ada",
			"{\"sessions\": 1, \"events\": 0, \"userStateKeys\": 1}");

	private final MarkdownPage page = MarkdownPage.read(PAGE);

	@LocalServerPort
	private int port;

	ReadmeTests() throws IOException {
	}

	@TestFactory
	Stream<DynamicTest> commandsPrintTheirOutput() throws IOException {
		List<MarkdownPage.Example> examples = new ArrayList<>(this.page.examples());
		assertThat(examples).isNotEmpty();
		examples.add(CLEAN_UP);
		return PageExamples.run(examples, this.port);
	}

	@Test
	void otherCommandsAreTheTwoThatStartAndTestTheService() {
		assertThat(this.page.blocksIn("sh")).containsExactly("./mvnw spring-boot:run\n", "./mvnw verify\n");
	}

	@Test
	void everyBlockIsInALanguageThatIsChecked() {
		assertThat(this.page.blocks()).extracting(MarkdownPage.Block::language)
			.containsOnly("mermaid", "sh", "bash", "json");
	}

}
