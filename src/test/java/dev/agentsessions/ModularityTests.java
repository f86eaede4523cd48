package dev.agentsessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.modulith.core.ApplicationModules;

import dev.agentsessions.state.StateScope;

/** The arrows between the packages, and what only one of them may know. */
class ModularityTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	@Test
	void keepsToTheArrowsBetweenPackages() {
		ApplicationModules.of(AgentSessionsApplication.class).verify();
	}

	@ParameterizedTest
	@EnumSource(names = { "APP", "USER", "TEMP" })
	void spellsAPrefixInOneFileOnly(StateScope scope) throws IOException {
		String literal = '"' + scope.qualify("");
		try (Stream<Path> files = Files.walk(SOURCES)) {
			assertThat(files.filter(Files::isRegularFile).filter((file) -> read(file).contains(literal)))
				.singleElement()
				.satisfies((file) -> assertThat(file).hasFileName("StateScope.java"));
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
