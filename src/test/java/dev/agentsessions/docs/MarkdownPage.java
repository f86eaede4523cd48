package dev.agentsessions.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A Markdown page. The fenced blocks in the language {@code bash} are commands that run
 * in one shell. The block after a block of commands is what the commands print.
 *
 * @param text the whole text
 */
record MarkdownPage(String text) {

	private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern FENCE = Pattern.compile("^\\s*(`{3,}|~{3,}).*");

	private static final Pattern INLINE_CODE = Pattern.compile("`[^`\\n]*`");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)[^)]*\\)|^\\[[^]]+]: *(\\S+)",
			Pattern.MULTILINE);

	private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?)[ #]*$");

	private static final Pattern LINK_IN_HEADING = Pattern.compile("!?\\[([^]]*)]\\([^)]*\\)");

	private static final Pattern NOT_IN_ANCHOR = Pattern.compile("[^\\w -]", Pattern.UNICODE_CHARACTER_CLASS);

	private static final Set<String> OUTPUT_LANGUAGES = Set.of("json", "http", "text");

	static MarkdownPage read(Path page) throws IOException {
		return new MarkdownPage(Files.readString(page));
	}

	List<Block> blocks() {
		return BLOCK.matcher(this.text).results().map((match) -> new Block(match.group(1), match.group(2))).toList();
	}

	List<String> blocksIn(String language) {
		return blocks().stream().filter((block) -> block.language().equals(language)).map(Block::text).toList();
	}

	/** Returns the targets of all links outside of code, web addresses included. */
	List<String> linkTargets() {
		String prose = INLINE_CODE.matcher(String.join("\n", linesOutsideBlocks())).replaceAll("");
		return LINK.matcher(prose)
			.results()
			.map((match) -> (match.group(1) != null) ? match.group(1) : match.group(2))
			.toList();
	}

	/** Returns the targets of the links that are no web addresses. */
	List<String> links() {
		return linkTargets().stream().filter((target) -> !target.matches("[a-z]+:.*")).toList();
	}

	/** Returns the fragments that lead to the headings, as GitHub makes them. */
	Set<String> anchors() {
		Set<String> anchors = new LinkedHashSet<>();
		Map<String, Integer> uses = new HashMap<>();
		linesOutsideBlocks().stream()
			.flatMap((line) -> HEADING.matcher(line).results())
			.map((heading) -> anchor(heading.group(1)))
			.forEach((anchor) -> {
				int earlier = uses.merge(anchor, 1, Integer::sum) - 1;
				anchors.add((earlier > 0) ? anchor + "-" + earlier : anchor);
			});
		return anchors;
	}

	private static String anchor(String heading) {
		String title = LINK_IN_HEADING.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
		return NOT_IN_ANCHOR.matcher(title).replaceAll("").replace(' ', '-');
	}

	/** Returns the lines that are not in a fenced block. */
	List<String> linesOutsideBlocks() {
		List<String> outside = new ArrayList<>();
		String fence = "";
		for (String line : this.text.lines().toList()) {
			if (!fence.isEmpty()) {
				fence = line.strip().startsWith(fence) ? "" : fence;
			}
			else if (FENCE.matcher(line).matches()) {
				fence = FENCE.matcher(line).replaceAll("$1");
			}
			else {
				outside.add(line);
			}
		}
		return outside;
	}

	List<Example> examples() {
		List<Example> examples = new ArrayList<>();
		List<Block> blocks = blocks();
		for (int i = 0; i < blocks.size(); i++) {
			if (blocks.get(i).language().equals("bash")) {
				boolean prints = i + 1 < blocks.size() && OUTPUT_LANGUAGES.contains(blocks.get(i + 1).language());
				examples.add(new Example(blocks.get(i).text(), prints ? blocks.get(i + 1) : Block.NONE));
			}
		}
		return examples;
	}

	/**
	 * A fenced block.
	 *
	 * @param language the language that the block names
	 * @param text the lines of the block
	 */
	record Block(String language, String text) {

		/** The output of a command that prints nothing. */
		static final Block NONE = new Block("text", "");

	}

	/**
	 * Commands with their output.
	 *
	 * @param commands the commands
	 * @param output what the commands print
	 */
	record Example(String commands, Block output) {

		/** Returns an example whose output is JSON. */
		static Example ofJson(String commands, String json) {
			return new Example(commands, new Block("json", json));
		}

	}

}
