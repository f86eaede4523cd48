package dev.agentsessions.console;

/**
 * The beginning of a text, as far as a page shows it.
 *
 * @param text what is shown; what cannot be printed is a sign that stands for it
 * @param left how many characters are not shown, 0 if that is all
 */
record TruncatedText(String text, long left) {

	/** In characters. */
	static final int LONGEST = 10_000;

	/** What a line of a list shows of a value. */
	static final int SHORT = 200;

	static final TruncatedText NOTHING = new TruncatedText("", 0);

	private static final char FIRST_SIGN = '\u2400';

	private static final char SIGN_OF_DELETE = '\u2421';

	/** Shows no more than so many characters of a text. */
	static TruncatedText of(String text, int limit) {
		int end = Math.min(text.length(), limit);
		if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		return new TruncatedText(printable(text.substring(0, end)), text.length() - end);
	}

	/** Whether there is more of it. */
	public boolean isCut() {
		return this.left > 0;
	}

	/** No browser shows control characters, and HTML cannot have all of them. */
	static String printable(String text) {
		StringBuilder shown = new StringBuilder(text.length());
		text.chars().forEach((character) -> shown.append(printable((char) character)));
		return shown.toString();
	}

	private static char printable(char character) {
		if (character == '\n' || character == '\t') {
			return character;
		}
		if (character < ' ') {
			return (char) (FIRST_SIGN + character);
		}
		return (character == '\u007f') ? SIGN_OF_DELETE : character;
	}

}
