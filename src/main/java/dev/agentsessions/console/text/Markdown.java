package dev.agentsessions.console.text;

import java.util.List;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Renders Markdown as HTML that neither acts nor loads anything. HTML in the text is
 * shown as text. {@link InertNodeRenderer} writes links, images and headings.
 */
public final class Markdown {

	/** Real texts nest less, and the renderer needs some stack for each level. */
	private static final int MAX_NESTING = 50;

	/**
	 * A short row gets all columns of its table, so a short text could be a huge table.
	 */
	private static final int MAX_CELLS = 2000;

	private static final List<TablesExtension> EXTENSIONS = List
		.of((TablesExtension) TablesExtension.builder().maxCells(MAX_CELLS).build());

	private static final Parser PARSER = Parser.builder()
		.extensions(EXTENSIONS)
		.maxOpenBlockParsers(MAX_NESTING)
		.maxInlineNesting(MAX_NESTING)
		.build();

	/** A line of the text stays a line, as chat pages show it. */
	private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
		.extensions(EXTENSIONS)
		.escapeHtml(true)
		.sanitizeUrls(true)
		.softbreak("<br>")
		.nodeRendererFactory(InertNodeRenderer::new)
		.build();

	private Markdown() {
	}

	/**
	 * Returns the HTML of a text.
	 * @throws IllegalArgumentException if a table of the text has more than
	 * {@value #MAX_CELLS} cells
	 */
	public static String toHtml(String text) {
		return RENDERER.render(PARSER.parse(text));
	}

}
