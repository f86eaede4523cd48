package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The codes that clients rely on. */
class ProblemCodeTests {

	@ParameterizedTest
	@EnumSource
	void isExplainedInTheReference(ProblemCode code) throws IOException {
		assertThat(Files.readString(Path.of("docs/reference.md")))
			.containsPattern("\\| `%s` \\| (412, )?%d \\|".formatted(code, code.status().value()));
	}

}
