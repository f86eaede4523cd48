package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks every Markdown page of the repository: links lead to files and headings that
 * exist, and lines of prose are short enough to review.
 */
class PagesTests {

	private static final int MAX_LINE_CHARS = 120;

	private static final Set<String> OTHER_FOLDERS = Set.of("node_modules", "target", "data", ".git");

	/**
	 * Pages of the clients link to the repository by its address, for readers of a
	 * registry.
	 */
	private static final String REPOSITORY_LINK = "/(?:blob|tree|raw)/main/";

	private static final Pattern LINE_OF_ONE_LINK = Pattern
		.compile("\\s*(?:[-*>] )?(?:!?\\[[^]]*]\\([^)\\s]*\\)|\\[[^]]+]: *\\S+|<?https?://\\S+)[.,;:]?");

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadToFilesAndHeadings(Path page) throws IOException {
		List<String> problems = new ArrayList<>();
		for (String target : MarkdownPage.read(page).linkTargets()) {
			String problem = problemOf(page, target);
			if (problem != null) {
				problems.add(target + ": " + problem);
			}
		}
		assertThat(problems).as("%s", page).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linesOfProseAreShort(Path page) throws IOException {
		assertThat(MarkdownPage.read(page).linesOutsideBlocks()).as("%s", page)
			.filteredOn((line) -> line.codePoints().count() > MAX_LINE_CHARS)
			.filteredOn((line) -> !line.stripLeading().startsWith("|"))
			.filteredOn((line) -> !LINE_OF_ONE_LINK.matcher(line).matches())
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "README.md, 220", "docs/architecture.md, 150" })
	void mainPagesAreShort(Path page, int maxLines) throws IOException {
		assertThat(Files.readAllLines(page).size()).isLessThanOrEqualTo(maxLines);
	}

	/**
	 * The list has a line for each package, and a name with a point for each one below
	 * it.
	 */
	@Test
	void theArchitecturePageListsAllPackages() throws IOException {
		Path main = Path.of("src/main/java/dev/agentsessions");
		Set<String> packages;
		try (Stream<Path> files = Files.walk(main)) {
			packages = files.filter((file) -> file.endsWith("package-info.java"))
				.map((file) -> main.relativize(file.getParent()).toString().replace('/', '.'))
				.filter((name) -> !name.isEmpty())
				.collect(Collectors.toCollection(TreeSet::new));
		}
		String list = Files.readString(Path.of("docs/architecture.md")).split("```\ndev.agentsessions\n|```", -1)[1];
		Set<String> listed = new TreeSet<>();
		String top = "";
		for (MatchResult name : Pattern.compile("(?m)^  (\\w+)(?= )|\\.\\w+").matcher(list).results().toList()) {
			top = (name.group(1) != null) ? name.group(1) : top;
			listed.add((name.group(1) != null) ? top : top + name.group());
		}
		assertThat(listed).isEqualTo(packages);
	}

	private static @Nullable String problemOf(Path page, String target) throws IOException {
		Matcher own = Pattern.compile(Pattern.quote(repository()) + REPOSITORY_LINK + "(.*)").matcher(target);
		if (own.matches()) {
			return problemOf(page, Path.of(""), own.group(1));
		}
		boolean elsewhere = target.matches("[a-z]+:.*");
		return elsewhere ? null : problemOf(page, page.resolveSibling(""), target);
	}

	private static @Nullable String problemOf(Path page, Path folder, String target) throws IOException {
		String[] parts = target.split("#", 2);
		Path file = parts[0].isEmpty() ? page : folder.resolve(parts[0]).normalize();
		if (!Files.exists(file)) {
			return "there is no such file";
		}
		Path linked = Files.isDirectory(file) ? file.resolve("README.md") : file;
		if (parts.length == 1 || !linked.toString().endsWith(".md")) {
			return null;
		}
		return MarkdownPage.read(linked).anchors().contains(parts[1]) ? null : "there is no such heading";
	}

	private static String repository() throws IOException {
		return Files.readString(Path.of("clients/repository")).strip();
	}

	static List<Path> pages() throws IOException {
		List<Path> pages = new ArrayList<>();
		Files.walkFileTree(Path.of("."), new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
				boolean other = OTHER_FOLDERS.contains(folder.getFileName().toString());
				return other ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (file.toString().endsWith(".md")) {
					pages.add(file.normalize());
				}
				return FileVisitResult.CONTINUE;
			}

		});
		assertThat(pages).contains(Path.of("README.md"), Path.of("docs/reference.md"));
		return pages.stream().sorted().toList();
	}

}
