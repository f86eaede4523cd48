package dev.agentsessions.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a page shows its readers beside its text.
 *
 * @param text the whole page
 */
public record PageBlocks(String text) {

	public static PageBlocks read(Path page) throws IOException {
		return new PageBlocks(Files.readString(page));
	}

	/** The blocks in a language, in their order. */
	public List<String> in(String language) {
		return new MarkdownPage(this.text).blocksIn(language);
	}

	/** The languages of all blocks. */
	public List<String> languages() {
		return new MarkdownPage(this.text).blocks().stream().map(MarkdownPage.Block::language).toList();
	}

	/** The links to other files. */
	public List<String> links() {
		return new MarkdownPage(this.text).links();
	}

}
