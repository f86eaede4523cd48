package dev.agentsessions.search.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.text.QueryReader.WordQuery.Phrase;
import dev.agentsessions.search.text.QueryReader.WordQuery.Word;

/**
 * Reads queries. {@code "words in quotes"} and {@code +word} have to be in a text, {@code
 * -word} must not be in it, and any other word makes a text a hit. Every text is a query:
 * Lucene's parser knows no errors.
 */
public final class QueryReader {

	/** Maximum number of phrases that must, or must not, be in a text. */
	private static final int MAX_PHRASES = 20;

	private static final String WORD = "word";

	private static final String MUST = "must";

	private static final String PLUS = "+";

	private final TextAnalysis analysis;

	private final Set<String> words = new LinkedHashSet<>();

	private final List<Phrase> must = new ArrayList<>();

	private final List<Phrase> mustNot = new ArrayList<>();

	private QueryReader(TextAnalysis analysis) {
		this.analysis = analysis;
	}

	/** Reads a query with operators. */
	public static WordQuery query(TextAnalysis analysis, String text) {
		QueryReader reader = new QueryReader(analysis);
		Query query = new Parser(analysis).parse(TextAnalysis.readable(text));
		if (query != null) {
			reader.visit(query, false);
		}
		return reader.toQuery();
	}

	/** Reads a text in which no character is an operator. */
	public static WordQuery text(TextAnalysis analysis, String text) {
		QueryReader reader = new QueryReader(analysis);
		analysis.words(text).forEach((word) -> reader.words.add(word.term()));
		return reader.toQuery();
	}

	private WordQuery toQuery() {
		List<String> telling = this.words.stream().filter((word) -> !this.analysis.isStopWord(word)).toList();
		return new WordQuery(telling.isEmpty() ? List.copyOf(this.words) : telling, this.must, this.mustNot);
	}

	private void visit(Query query, boolean negated) {
		if (query instanceof BooleanQuery all) {
			all.clauses()
				.forEach((clause) -> visit(clause.getQuery(),
						negated ^ clause.getOccur() == BooleanClause.Occur.MUST_NOT));
		}
		else if (query instanceof TermQuery leaf) {
			add(this.analysis.words(leaf.getTerm().text()), negated, leaf.getTerm().field().equals(MUST));
		}
	}

	private void add(List<Word> found, boolean negated, boolean required) {
		if (!negated) {
			found.forEach((word) -> this.words.add(word.term()));
		}
		List<Phrase> phrases = negated ? this.mustNot : this.must;
		if ((negated || required) && !found.isEmpty() && phrases.size() < MAX_PHRASES) {
			phrases.add(phrase(found));
		}
	}

	/**
	 * Of characters and pairs of them at one position, the pair says more, and comes
	 * last. The parts of a word stand for the word, which may be a part of a longer word
	 * of a text, unless letters beside an apostrophe are left out.
	 */
	private static Phrase phrase(List<Word> words) {
		List<Word> phrase = new ArrayList<>();
		for (Word word : words) {
			Word last = phrase.isEmpty() ? null : phrase.get(phrase.size() - 1);
			if (last == null || last.position() < word.position()) {
				phrase.add(word);
			}
			else if (!PartFilter.isElided(last.term())) {
				phrase.set(phrase.size() - 1, word);
			}
		}
		return new Phrase(phrase.subList(0, Math.min(phrase.size(), WordQuery.MAX_WORDS)));
	}

	/** Finds the operators, and leaves the texts between them as they are. */
	private static final class Parser extends SimpleQueryParser {

		private static final int OPERATORS = PHRASE_OPERATOR | NOT_OPERATOR | WHITESPACE_OPERATOR;

		Parser(TextAnalysis analysis) {
			super(analysis.analyzer(), Map.of(TextAnalysis.FIELD, 1F), OPERATORS);
		}

		@Override
		protected @Nullable Query newDefaultQuery(String text) {
			return new TermQuery(new Term(text.startsWith(PLUS) ? MUST : WORD, text));
		}

		@Override
		protected @Nullable Query newPhraseQuery(String text, int slop) {
			return new TermQuery(new Term(MUST, text));
		}

	}

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

}
