package dev.agentsessions.search.text;

/**
 * A word of a text, as the index has it.
 *
 * @param term the word, folded and stemmed; at most {@link TextAnalysis#MAX_WORD_BYTES}
 * @param position the number of the word in the text, from 1 on; a pair of characters,
 * and a word with parts, has that of its first one
 */
public record Word(String term, int position) {

}
