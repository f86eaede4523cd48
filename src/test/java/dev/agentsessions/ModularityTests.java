package dev.agentsessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.modulith.core.ApplicationModules;

import dev.agentsessions.state.StateScope;

/** The arrows between the packages, and what only one of them may know. */
class ModularityTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	private static final long MAX_FILES_OF_PACKAGE = 35;

	@Test
	void keepsToTheArrowsBetweenPackages() {
		ApplicationModules.of(AgentSessionsApplication.class).verify();
	}

	/** Classes of libraries say nothing about it, so ArchUnit does not read them. */
	@Test
	void hasNoCycleOfPackages() {
		ArchConfiguration.withThreadLocalScope((configuration) -> {
			configuration.setResolveMissingDependenciesFromClassPath(false);
			checkCycles();
		});
	}

	private static void checkCycles() {
		JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackagesOf(AgentSessionsApplication.class);
		SlicesRuleDefinition.slices().matching("dev.agentsessions.(**)").should().beFreeOfCycles().check(classes);
	}

	@Test
	void hasAtMost35FilesInAPackage() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			Map<Path, Long> sizes = files.filter(Files::isRegularFile)
				.collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
			assertThat(sizes).allSatisfy(
					(folder, size) -> assertThat(size).as("%s", folder).isLessThanOrEqualTo(MAX_FILES_OF_PACKAGE));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "APP", "USER", "TEMP" })
	void spellsAPrefixInOneFileOnly(StateScope scope) throws IOException {
		assertThat(filesWith('"' + scope.qualify(""))).singleElement()
			.satisfies((file) -> assertThat(file).hasFileName("StateScope.java"));
	}

	/** Otherwise the shares of the heap could together be more than the heap. */
	@Test
	void sharesTheHeapInOneFileOnly() throws IOException {
		assertThat(filesWith("maxMemory")).singleElement()
			.satisfies((file) -> assertThat(file).hasFileName("HeapShare.java"));
	}

	private static List<Path> filesWith(String text) throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files.filter(Files::isRegularFile).filter((file) -> read(file).contains(text)).toList();
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
