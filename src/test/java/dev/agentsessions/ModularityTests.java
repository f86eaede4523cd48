package dev.agentsessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.modulith.core.ApplicationModules;

import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.state.StateScope;

/** The arrows between the packages, and what only one of them may know. */
class ModularityTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	private static final long MAX_FILES_OF_PACKAGE = 35;

	private static final Pattern CREATED = Pattern.compile("create table (?:if not exists )?(\\w+)");

	private static final Pattern DROPPED = Pattern.compile("drop table (\\w+)");

	private static final Pattern TABLE = Pattern.compile("\\{@code (\\w+)}");

	/** Names of tables, and whether they are entities. */
	private static final Pattern LINE_OF_TABLES = Pattern.compile("<li>((?:\\{@code \\w+}(?:, )?)+): (entity|SQL)\\.");

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

	@ParameterizedTest
	@ValueSource(strings = { EventFields.FUNCTION_CALL, EventFields.FUNCTION_RESPONSE, EventFields.INLINE_DATA,
			EventFields.USAGE_METADATA })
	void spellsAFieldOfAnEventInOneFileOnly(String name) throws IOException {
		assertThat(filesWith('"' + name)).singleElement()
			.satisfies((file) -> assertThat(file).hasFileName("EventFields.java"));
	}

	/** Otherwise the shares of the heap could together be more than the heap. */
	@Test
	void sharesTheHeapInOneFileOnly() throws IOException {
		assertThat(filesWith("maxMemory")).singleElement()
			.satisfies((file) -> assertThat(file).hasFileName("HeapBudget.java"));
	}

	/**
	 * The tables that the migrations create, also those for Citus, and no other. What the
	 * page calls entities are all entities.
	 */
	@Test
	void saysOfEachTableHowItIsReadAndWritten() throws IOException {
		String page = read(SOURCES.resolve("dev/agentsessions/postgres/package-info.java")).replaceAll("\\s+\\*\\s+",
				" ");
		Map<String, String> ways = new HashMap<>();
		LINE_OF_TABLES.matcher(page)
			.results()
			.forEach((line) -> TABLE.matcher(line.group(1))
				.results()
				.forEach((table) -> ways.put(table.group(1), line.group(2))));
		assertThat(ways.keySet()).isEqualTo(tables());
		assertThat(ways.entrySet()).filteredOn((way) -> way.getValue().equals("entity"))
			.map(Map.Entry::getKey)
			.containsExactlyInAnyOrderElementsOf(entities());
	}

	private static Set<String> tables() throws IOException {
		Set<String> tables = new HashSet<>();
		List<String> migrations = Stream
			.concat(files(Path.of("src/main/resources/db/migration")).stream(),
					files(Path.of("deploy/citus")).stream().filter((file) -> file.toString().endsWith(".sql")))
			.map(ModularityTests::read)
			.toList();
		migrations.forEach((sql) -> CREATED.matcher(sql).results().forEach((table) -> tables.add(table.group(1))));
		migrations.forEach((sql) -> DROPPED.matcher(sql).results().forEach((table) -> tables.remove(table.group(1))));
		return tables;
	}

	private static List<String> entities() {
		return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackagesOf(AgentSessionsApplication.class)
			.stream()
			.filter((type) -> type.isAnnotatedWith(Entity.class))
			.map((type) -> type.getAnnotationOfType(Table.class).name())
			.toList();
	}

	private static List<Path> filesWith(String text) throws IOException {
		return files(SOURCES).stream().filter((file) -> read(file).contains(text)).toList();
	}

	private static List<Path> files(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter(Files::isRegularFile).toList();
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
