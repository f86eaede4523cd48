package dev.agentsessions.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The README. The fenced blocks in the language {@code bash} are commands that belong
 * together, and the block behind one of them is what it prints.
 *
 * @param text the whole text
 */
record Readme(String text) {

	private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern LINK_TO_FILE = Pattern.compile("]\\((?!https?:)([^)]+)\\)");

	private static final Set<String> ANSWERS = Set.of("json", "http", "text");

	static Readme read() throws IOException {
		return new Readme(Files.readString(Path.of("README.md")));
	}

	List<Block> blocks() {
		return BLOCK.matcher(this.text).results().map((match) -> new Block(match.group(1), match.group(2))).toList();
	}

	List<String> blocksIn(String language) {
		return blocks().stream().filter((block) -> block.language().equals(language)).map(Block::text).toList();
	}

	List<String> links() {
		return LINK_TO_FILE.matcher(this.text).results().map((match) -> match.group(1)).toList();
	}

	List<Example> examples() {
		List<Example> examples = new ArrayList<>();
		List<Block> blocks = blocks();
		for (int i = 0; i < blocks.size(); i++) {
			if (blocks.get(i).language().equals("bash")) {
				boolean answered = i + 1 < blocks.size() && ANSWERS.contains(blocks.get(i + 1).language());
				examples.add(new Example(blocks.get(i).text(), answered ? blocks.get(i + 1) : Block.NONE));
			}
		}
		return examples;
	}

	/**
	 * A fenced block.
	 *
	 * @param language what it is written in
	 * @param text its lines
	 */
	record Block(String language, String text) {

		/** What a command prints that prints nothing. */
		static final Block NONE = new Block("text", "");

	}

	/**
	 * Commands with what they print.
	 *
	 * @param commands the commands
	 * @param answer what they print
	 */
	record Example(String commands, Block answer) {

	}

}
