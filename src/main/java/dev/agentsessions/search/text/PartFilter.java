package dev.agentsessions.search.text;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.stream.IntStream;

import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.AttributeSource;
import org.jspecify.annotations.Nullable;

/**
 * Adds the parts of a word that a sign or a number joins, such as those of
 * {@code billing_service.py}, {@code dell'acqua}, {@code 14.11.2026} and {@code 5kg}. The
 * first part is at the position of the word, and each other part at the next position. A
 * letter beside an apostrophe is no part ({@code l'eau}, {@code don't}), and
 * abbreviations such as {@code e.g} have no parts. All apostrophes become {@code '}.
 */
final class PartFilter extends TokenFilter {

	private static final char APOSTROPHE = '\'';

	/** Curly, reversed, Armenian, Hebrew, wide, and those that count as letters. */
	private static final String APOSTROPHES = "'’‘՚׳＇ʼʻ";

	/**
	 * The zero width non-joiner of Persian, and the signs of Thai and Lao that shorten or
	 * repeat a word.
	 */
	private static final String LETTERS_THAT_JOIN = "\u200c\u0e2f\u0e46\u0ec6";

	private static final char LAST_ASCII = '\u007f';

	private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

	private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);

	private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);

	private final Queue<Part> parts = new ArrayDeque<>();

	private AttributeSource.@Nullable State whole;

	PartFilter(TokenStream words) {
		super(words);
	}

	/** Returns whether an apostrophe joins a letter, so that parts do not say it all. */
	static boolean isElided(CharSequence word) {
		boolean elided = false;
		for (int place = 0; place < word.length(); place++) {
			elided |= isElided(word, place);
		}
		return elided;
	}

	private static boolean isElided(CharSequence word, int place) {
		return isLoneLetter(word, place) && (isApostrophe(word, place - 1) || isApostrophe(word, place + 1));
	}

	private static boolean isLoneLetter(CharSequence word, int place) {
		return Character.isLetter(word.charAt(place)) && isEnd(word, place - 1) && isEnd(word, place + 1);
	}

	private static boolean isEnd(CharSequence word, int place) {
		return place < 0 || place >= word.length() || isJoint(word.charAt(place));
	}

	private static boolean isApostrophe(CharSequence word, int place) {
		return place >= 0 && place < word.length() && word.charAt(place) == APOSTROPHE;
	}

	/** Of all signs, those within a word, where the tokenizer does not end it. */
	private static boolean isJoint(char c) {
		return switch (Character.getType(c)) {
			case Character.CONNECTOR_PUNCTUATION, Character.OTHER_PUNCTUATION, Character.SPACE_SEPARATOR,
					Character.MATH_SYMBOL ->
				true;
			default -> LETTERS_THAT_JOIN.indexOf(c) >= 0;
		};
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
		if (isJoined()) {
			split();
		}
		return true;
	}

	/** Makes all apostrophes equal on the way. */
	private boolean isJoined() {
		char[] letters = this.term.buffer();
		boolean joined = false;
		for (int place = 0; place < this.term.length(); place++) {
			if (APOSTROPHES.indexOf(letters[place]) >= 0) {
				letters[place] = APOSTROPHE;
			}
			joined |= isJoint(letters[place])
					|| place > 0 && Character.isDigit(letters[place - 1]) != Character.isDigit(letters[place]);
		}
		return joined;
	}

	private void split() {
		this.whole = captureState();
		int begin = 0;
		boolean telling = false;
		for (int place = 0; place <= this.term.length(); place++) {
			if (isEnd(this.term, place)) {
				telling |= addPart(begin, place);
				begin = place + 1;
			}
			else if (isSeam(begin, place)) {
				telling |= addPart(begin, place);
				begin = place;
			}
		}
		if (!telling) {
			this.parts.clear();
		}
	}

	/**
	 * Whether a number ends or begins at a place. In ASCII, a number has parts only
	 * before letters ({@code 5kg}), because there are ids with many numbers in them.
	 */
	private boolean isSeam(int begin, int place) {
		if (place == begin || isDigit(place - 1) == isDigit(place)) {
			return false;
		}
		if (this.term.charAt(place - 1) > LAST_ASCII || this.term.charAt(place) > LAST_ASCII) {
			return true;
		}
		int end = place;
		while (!isEnd(this.term, end) && !isDigit(end)) {
			end++;
		}
		return IntStream.range(begin, place).allMatch(this::isDigit) && isEnd(this.term, end);
	}

	private boolean isDigit(int place) {
		return Character.isDigit(this.term.charAt(place));
	}

	/** Returns whether the part is more than a letter and less than the word. */
	private boolean addPart(int begin, int end) {
		if (begin == end || isElided(this.term, begin)) {
			return false;
		}
		int start = this.offset.startOffset();
		this.parts.add(new Part(this.term.subSequence(begin, end).toString(), start + begin, start + end,
				this.parts.isEmpty() ? 0 : 1));
		return end - begin < this.term.length() && !isLoneLetter(this.term, begin);
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
