package dev.agentsessions.console.search;

import java.util.ArrayList;
import java.util.List;

import org.springframework.web.util.HtmlUtils;

import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.text.Snippet;

/**
 * A piece of a snippet. A page prints pieces as text, so no text becomes HTML.
 *
 * @param text the text
 * @param marked whether it is a word of the query
 */
record SnippetPiece(String text, boolean marked) {

	private static final String BEGIN = "<em>";

	private static final String END = "</em>";

	/**
	 * Takes a snippet apart. Its text is escaped, so the tags in it are only those around
	 * words.
	 */
	static List<SnippetPiece> of(Snippet snippet) {
		List<SnippetPiece> pieces = new ArrayList<>();
		for (String word : snippet.html().split(BEGIN, -1)) {
			int end = word.indexOf(END);
			if (end >= 0) {
				add(pieces, word.substring(0, end), true);
			}
			add(pieces, (end >= 0) ? word.substring(end + END.length()) : word, false);
		}
		return pieces;
	}

	private static void add(List<SnippetPiece> pieces, String html, boolean marked) {
		if (!html.isEmpty()) {
			pieces.add(new SnippetPiece(TruncatedText.printable(HtmlUtils.htmlUnescape(html)), marked));
		}
	}

}
