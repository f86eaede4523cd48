package dev.agentsessions.search.text;

import java.util.List;

/**
 * The words that a query asks for.
 *
 * @param words the different words that rank a text
 * @param must each of these has to be in a text
 * @param mustNot none of these may be in a text
 */
public record WordQuery(List<String> words, List<Phrase> must, List<Phrase> mustNot) {

	/** Maximum number of different words that rank a text. */
	public static final int MAX_WORDS = 64;

	/** Returns whether no text can match: the query has no words. */
	public boolean isEmpty() {
		return this.words.isEmpty();
	}

	/** Returns this query with other words that rank. */
	public WordQuery withWords(List<String> others) {
		return new WordQuery(others, this.must, this.mustNot);
	}

	/**
	 * Words that follow each other.
	 *
	 * @param words at least one; their positions say how far they are from each other
	 */
	public record Phrase(List<Word> words) {

	}

	/**
	 * A word of a text, as the index has it.
	 *
	 * @param term the word, folded and stemmed; at most
	 * {@link TextAnalysis#MAX_WORD_BYTES}
	 * @param position the number of the word in the text, from 1 on; a pair of
	 * characters, and a word with parts, has that of its first one
	 */
	public record Word(String term, int position) {

	}

}
