package dev.agentsessions.search.text;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.AttributeSource;
import org.jspecify.annotations.Nullable;

/**
 * Adds the parts of a word that {@code _} or {@code .} joins, such as those of {@code
 * billing_service.py}. The first part is at the position of the word, and each other part
 * at the next position. A point between digits joins no parts: numbers and versions stay
 * whole. Abbreviations such as {@code e.g} have no parts either.
 */
final class PartFilter extends TokenFilter {

	private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

	private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);

	private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);

	private final Queue<Part> parts = new ArrayDeque<>();

	private AttributeSource.@Nullable State whole;

	PartFilter(TokenStream words) {
		super(words);
	}

	/** Returns whether a word is joined: it has parts, or it is an abbreviation. */
	static boolean isJoined(CharSequence word) {
		int place = 0;
		while (place < word.length() && !isJoint(word, place)) {
			place++;
		}
		return place < word.length();
	}

	private static boolean isJoint(CharSequence word, int place) {
		char c = word.charAt(place);
		return c == '_' || c == '.' && !(isDigit(word, place - 1) && isDigit(word, place + 1));
	}

	private static boolean isDigit(CharSequence word, int place) {
		return place >= 0 && place < word.length() && Character.isDigit(word.charAt(place));
	}

	@Override
	public boolean incrementToken() throws IOException {
		Part part = this.parts.poll();
		if (part != null) {
			restoreState(this.whole);
			this.term.setEmpty().append(part.text);
			this.offset.setOffset(part.start, part.end);
			this.step.setPositionIncrement(part.step);
			return true;
		}
		if (!this.input.incrementToken()) {
			return false;
		}
		if (isJoined(this.term)) {
			split();
		}
		return true;
	}

	private void split() {
		this.whole = captureState();
		int begin = 0;
		for (int place = 0; place <= this.term.length(); place++) {
			if (place == this.term.length() || isJoint(this.term, place)) {
				addPart(begin, place);
				begin = place + 1;
			}
		}
		if (this.parts.stream().allMatch((part) -> part.text.length() == 1)) {
			this.parts.clear();
		}
	}

	private void addPart(int begin, int end) {
		if (begin < end) {
			// Folding may have changed the length, and then the place of a part is not
			// known
			int start = this.offset.startOffset();
			boolean placed = this.offset.endOffset() - start == this.term.length();
			this.parts.add(new Part(this.term.subSequence(begin, end).toString(), placed ? start + begin : start,
					placed ? start + end : this.offset.endOffset(), this.parts.isEmpty() ? 0 : 1));
		}
	}

	@Override
	public void reset() throws IOException {
		super.reset();
		this.parts.clear();
	}

	/**
	 * A part of a word.
	 *
	 * @param text the part
	 * @param start where it begins in the text
	 * @param end where it ends in the text
	 * @param step how many positions it is after the token before it
	 */
	private record Part(String text, int start, int end, int step) {

	}

}
