package dev.agentsessions.search.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.uhighlight.DefaultPassageFormatter;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;

import dev.agentsessions.search.text.QueryReader.WordQuery;
import dev.agentsessions.search.text.SnippetMaker.Snippet.Mark;

/** Finds the part of a text that has the words of a query, with Lucene's highlighter. */
public final class SnippetMaker {

	/** A part has about this length, in UTF-16 code units. */
	private static final int GOAL_CHARS = 200;

	/** The first word of a part is about in its middle. */
	private static final float FRAGMENT_ALIGNMENT = 0.5F;

	/** A snippet has at most this number of parts. */
	private static final int MAX_PARTS = 2;

	private final UnifiedHighlighter highlighter;

	private final Query query;

	/** Creates a maker for the texts that a query finds. */
	public SnippetMaker(TextAnalysis analysis, WordQuery query) {
		this.highlighter = UnifiedHighlighter.builderWithoutSearcher(analysis.analyzer())
			.withMaxLength(TextAnalysis.MAX_CHARS)
			.withFormatter(new Formatter())
			.withMaxNoHighlightPassages(1)
			.withBreakIterator(() -> LengthGoalBreakIterator
				.createClosestToLength(BreakIterator.getSentenceInstance(Locale.ROOT), GOAL_CHARS, FRAGMENT_ALIGNMENT))
			.build();
		BooleanQuery.Builder any = new BooleanQuery.Builder();
		query.words()
			.stream()
			.limit(IndexSearcher.getMaxClauseCount())
			.forEach((word) -> any.add(new TermQuery(new Term(TextAnalysis.FIELD, word)), BooleanClause.Occur.SHOULD));
		this.query = any.build();
	}

	/** Returns the part of a text that has the words. */
	public Snippet of(String text) {
		try {
			Object found = this.highlighter.highlightWithoutSearcher(TextAnalysis.FIELD, this.query,
					TextAnalysis.readable(text), MAX_PARTS);
			return (found instanceof Snippet snippet) ? snippet : new Snippet("", List.of());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Keeps the offsets beside the text. */
	private static final class Formatter extends PassageFormatter {

		private static final PassageFormatter TEXT = new DefaultPassageFormatter("<em>", "</em>", "... ", true);

		@Override
		public Object format(Passage[] passages, String content) {
			List<Mark> marks = new ArrayList<>();
			for (Passage passage : passages) {
				for (int match = 0; match < passage.getNumMatches(); match++) {
					add(marks, new Mark(passage.getMatchStarts()[match], passage.getMatchEnds()[match]));
				}
			}
			return new Snippet(TEXT.format(passages, content).toString(), marks);
		}

		/** A word and its parts are one mark, as in the HTML. */
		private static void add(List<Mark> marks, Mark mark) {
			Mark last = marks.isEmpty() ? null : marks.get(marks.size() - 1);
			if (last == null || last.end() <= mark.start()) {
				marks.add(mark);
			}
			else {
				marks.set(marks.size() - 1, new Mark(last.start(), Math.max(last.end(), mark.end())));
			}
		}

	}

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

}
