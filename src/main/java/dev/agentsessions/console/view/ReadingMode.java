package dev.agentsessions.console.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * How a page shows texts and times, from the query parameters of its address. Pages pass
 * it on in their links.
 *
 * @param as {@code stored} for texts and JSON as they are stored, else readable: Markdown
 * is rendered, and escaped characters are shown
 * @param view {@code context} for the events that a model sees, else all events
 */
public record ReadingMode(@Nullable String as, @Nullable String view) {

	private static final String STORED = "stored";

	private static final String CONTEXT = "context";

	/** Returns whether texts are shown as they are stored. */
	public boolean isStored() {
		return STORED.equals(this.as);
	}

	/** Returns whether only the events that a model sees are shown. */
	public boolean isContext() {
		return CONTEXT.equals(this.view);
	}

	/** Returns the beginning of a JSON value, indented. */
	public TruncatedText json(JsonText json, int maxChars) {
		return isStored() ? IndentedJson.asStored(json, maxChars) : IndentedJson.of(json, maxChars);
	}

	/**
	 * Returns the HTML of a text in Markdown; {@code null} if it is shown as stored, or
	 * if one of its tables is too large.
	 */
	public @Nullable String html(TruncatedText text) {
		try {
			return isStored() ? null : Markdown.toHtml(text.text());
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** Returns an address in this mode. */
	public String on(String address) {
		String stored = isStored() ? with(address, "as=" + STORED) : address;
		return isContext() ? with(stored, "view=" + CONTEXT) : stored;
	}

	/** Returns an address in this mode with the other way to show texts. */
	public String switchText(String address) {
		return new ReadingMode(isStored() ? null : STORED, this.view).on(address);
	}

	/** Returns an address in this mode with the other selection of events. */
	public String switchView(String address) {
		return new ReadingMode(this.as, isContext() ? null : CONTEXT).on(address);
	}

	private static String with(String address, String parameter) {
		int end = (address.indexOf('#') >= 0) ? address.indexOf('#') : address.length();
		char separator = (address.indexOf('?') >= 0) ? '&' : '?';
		return address.substring(0, end) + separator + parameter + address.substring(end);
	}

	/**
	 * Renders Markdown as HTML that neither acts nor loads anything. HTML in the text is
	 * shown as text. {@link InertNodeRenderer} writes links, images and headings.
	 */
	public static final class Markdown {

		/** Real texts nest less, and the renderer needs some stack for each level. */
		private static final int MAX_NESTING = 50;

		/**
		 * A short row gets all columns of its table, so a short text could be a huge
		 * table.
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

		/**
		 * Renders links to other places, images and headings. An address with another
		 * scheme than http, https and mailto is text, and so is a relative one, which
		 * would lead to a page of this service. An image is a link, so that no other
		 * server learns who reads the page. Headings are paragraphs, because the page has
		 * an outline of its own.
		 */
		static final class InertNodeRenderer implements NodeRenderer {

			private static final Pattern ELSEWHERE = Pattern.compile("(https?://|mailto:)[^\\s\\p{Cntrl}]+",
					Pattern.CASE_INSENSITIVE);

			private static final Map<String, String> HEADING = Map.of("class", "heading");

			private final HtmlNodeRendererContext context;

			private final HtmlWriter html;

			InertNodeRenderer(HtmlNodeRendererContext context) {
				this.context = context;
				this.html = context.getWriter();
			}

			@Override
			public Set<Class<? extends Node>> getNodeTypes() {
				return Set.of(Link.class, Image.class, Heading.class);
			}

			@Override
			public void render(Node node) {
				if (node instanceof Link link) {
					renderLink(node, link.getDestination());
				}
				else if (node instanceof Image image) {
					this.html.text("Image: ");
					renderLink(node, image.getDestination());
				}
				else {
					this.html.line();
					this.html.tag("p", HEADING);
					renderChildren(node);
					this.html.tag("/p");
					this.html.line();
				}
			}

			private void renderLink(Node node, String address) {
				boolean leadsElsewhere = ELSEWHERE.matcher(address).matches();
				if (leadsElsewhere) {
					Map<String, String> attributes = new LinkedHashMap<>();
					attributes.put("href", this.context.encodeUrl(address));
					attributes.put("rel", "noopener noreferrer nofollow");
					this.html.tag("a", attributes);
				}
				renderChildren(node);
				if (node.getFirstChild() == null) {
					this.html.text(address);
				}
				if (leadsElsewhere) {
					this.html.tag("/a");
				}
				else if (node.getFirstChild() != null) {
					this.html.text(" (" + address + ")");
				}
			}

			private void renderChildren(Node parent) {
				for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
					this.context.render(child);
				}
			}

		}

	}

}
