package dev.agentsessions.search.text;

import java.util.List;

/**
 * The part of a text that has the words of a query.
 *
 * @param html the part, escaped for HTML, each word in {@code <em>}
 * @param marks where the words are in the whole text, in UTF-16 code units
 */
public record Snippet(String html, List<Mark> marks) {

	/**
	 * Where a word is.
	 *
	 * @param start the number of code units before it
	 * @param end the number of code units up to its end
	 */
	public record Mark(int start, int end) {

	}

}
