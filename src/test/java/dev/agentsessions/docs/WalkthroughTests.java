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

/** Runs the commands of the walk-through and compares their output. */
@HttpTest
class WalkthroughTests {

	private static final MarkdownPage.Example NO_SESSION_IS_LEFT = MarkdownPage.Example.ofJson("curl -s $S", "[]");

	private final MarkdownPage page = MarkdownPage.read(Path.of("docs/walkthrough.md"));

	@LocalServerPort
	private int port;

	WalkthroughTests() throws IOException {
	}

	@TestFactory
	Stream<DynamicTest> commandsPrintTheirOutput() throws IOException {
		List<MarkdownPage.Example> examples = new ArrayList<>(this.page.examples());
		assertThat(examples).isNotEmpty();
		examples.add(NO_SESSION_IS_LEFT);
		return PageExamples.run(examples, this.port);
	}

	@Test
	void everyBlockIsInALanguageThatIsChecked() {
		assertThat(this.page.blocks()).extracting(MarkdownPage.Block::language)
			.containsOnly("bash", "json", "http", "text", "python");
	}

	@Test
	void programContainsThePartThatIsShown() throws IOException {
		assertThat(this.page.blocksIn("python")).isNotEmpty();
		assertThat(Files.readString(Path.of("docs/walkthrough/walkthrough.py"))).contains(this.page.blocksIn("python"));
	}

}
