package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.agentsessions.support.HttpTest;

/** What the page about artifacts shows is what its readers see. */
@HttpTest
class ArtifactsPageTests {

	private final MarkdownPage page = MarkdownPage.read(Path.of("docs/artifacts.md"));

	@LocalServerPort
	private int port;

	ArtifactsPageTests() throws IOException {
	}

	@TestFactory
	Stream<DynamicTest> commandsPrintWhatIsShown() throws IOException {
		return PageExamples.run(this.page.examples(), this.port);
	}

	@Test
	void everyBlockIsInALanguageThatIsChecked() {
		assertThat(this.page.blocks()).extracting(MarkdownPage.Block::language).isSubsetOf("bash", "json", "text");
	}

}
