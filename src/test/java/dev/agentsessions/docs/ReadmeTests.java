package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.agentsessions.support.HttpTest;

/** What the README shows is what its readers see. */
@HttpTest
class ReadmeTests {

	private static final Readme.Example NOTHING_IS_LEFT = new Readme.Example("curl -s $S",
			new Readme.Block("json", "[]"));

	private final Readme readme = Readme.read();

	@LocalServerPort
	private int port;

	ReadmeTests() throws IOException {
	}

	@TestFactory
	Stream<DynamicTest> commandsPrintWhatIsShown() throws IOException {
		List<Readme.Example> examples = new ArrayList<>(this.readme.examples());
		examples.add(NOTHING_IS_LEFT);
		return PageExamples.run(examples, this.port);
	}

	@Test
	void otherCommandsAreTheTwoThatStartAndTestTheService() {
		assertThat(this.readme.blocksIn("sh")).containsExactly("./mvnw spring-boot:run\n", "./mvnw verify\n");
	}

	@Test
	void everyBlockIsInALanguageThatIsChecked() {
		assertThat(this.readme.blocks()).extracting(Readme.Block::language)
			.containsOnly("mermaid", "sh", "bash", "json", "http", "text", "python");
	}

	@Test
	void programsContainWhatIsShownOfThem() throws IOException {
		assertThat(Files.readString(Path.of("docs/walkthrough/walkthrough.py")))
			.contains(this.readme.blocksIn("python"));
	}

}
