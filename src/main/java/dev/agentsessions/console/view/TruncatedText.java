package dev.agentsessions.console.view;

import dev.agentsessions.session.Secrets;

/**
 * The beginning of a text, as far as a page shows it.
 *
 * @param text the text shown, with symbols instead of control characters
 * @param omittedChars the number of characters not shown
 */
public record TruncatedText(String text, long omittedChars) {

	public static final int MAX_CHARS = 10_000;

	public static final TruncatedText EMPTY = new TruncatedText("", 0);

	private static final int MAX_LINE_CHARS = 200;

	/** A longer value is folded. */
	private static final int MAX_UNFOLDED_CHARS = 400;

	private static final int MAX_BEGINNING_CHARS = 80;

	private static final char FIRST_CONTROL_SYMBOL = '\u2400';

	private static final char DELETE_SYMBOL = '\u2421';

	/** Masks the secrets of a text, and truncates it to a number of characters. */
	public static TruncatedText of(String whole, int maxChars) {
		String text = Secrets.MASKED.of(whole);
		int end = Math.min(text.length(), maxChars);
		if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		return new TruncatedText(printable(text.substring(0, end)), text.length() - end);
	}

	/** Masks and truncates a value that stands in a line, such as a name in a list. */
	public static TruncatedText line(String whole) {
		return of(whole, MAX_LINE_CHARS);
	}

	public boolean isTruncated() {
		return this.omittedChars > 0;
	}

	/** Returns whether a page folds the value. */
	public boolean isLong() {
		return this.text.length() > MAX_UNFOLDED_CHARS;
	}

	/** Returns the first words in one line, as the title of a folded value. */
	public String beginning() {
		return of(this.text.strip(), MAX_BEGINNING_CHARS).text().replaceAll("\\s+", " ") + " …";
	}

	/** Returns the first characters in one line. */
	public static String brief(String text, int maxChars) {
		TruncatedText beginning = of(text.strip(), maxChars);
		return beginning.text().replaceAll("\\s+", " ") + (beginning.isTruncated() ? "…" : "");
	}

	/**
	 * Replaces control characters with symbols: browsers do not show them, and HTML
	 * forbids some.
	 */
	public static String printable(String text) {
		StringBuilder shown = new StringBuilder(text.length());
		text.chars().forEach((character) -> shown.append(printable((char) character)));
		return shown.toString();
	}

	private static char printable(char character) {
		if (character == '\n' || character == '\t') {
			return character;
		}
		if (character < ' ') {
			return (char) (FIRST_CONTROL_SYMBOL + character);
		}
		return (character == '\u007f') ? DELETE_SYMBOL : character;
	}

}
