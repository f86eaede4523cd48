package dev.agentsessions.json;

import tools.jackson.core.JsonParser;

/**
 * Tells whether a JSON string is Base64, in either alphabet, with or without padding. It
 * looks at the text as it was sent, because the data of a part may use most of the
 * memory.
 */
final class Base64Text {

	private static final int GROUP = 4;

	private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	private Base64Text() {
	}

	/** Whether the string at which a parser is, is Base64. */
	static boolean isCurrent(JsonParser parser, String text) {
		int start = (int) parser.currentTokenLocation().getCharOffset() + 1;
		int end = endOfCharacters(text, start);
		return (text.charAt(end) == '\\') ? isComplete(parser.getString() + '"', 0) : isComplete(text, start);
	}

	/** Whether all characters up to the quote are Base64. */
	private static boolean isComplete(String text, int start) {
		int end = endOfCharacters(text, start);
		int rest = (end - start) % GROUP;
		int padding = 0;
		while (text.charAt(end + padding) == '=') {
			padding++;
		}
		return text.charAt(end + padding) == '"' && rest != 1 && (padding == 0 || rest > 0 && rest + padding == GROUP)
				&& (rest == 0 || hasNoUnusedBits(text.charAt(end - 1), rest));
	}

	/** Returns the offset after the last character; all are of one alphabet. */
	private static int endOfCharacters(String text, int start) {
		String others = "";
		for (int end = start;; end++) {
			char character = text.charAt(end);
			if (!isLetter(character)) {
				String alphabet = (character == '+' || character == '/') ? "+/"
						: (character == '-' || character == '_') ? "-_" : "";
				if (alphabet.isEmpty() || !others.isEmpty() && !others.equals(alphabet)) {
					return end;
				}
				others = alphabet;
			}
		}
	}

	private static boolean isLetter(char character) {
		return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
				|| character >= '0' && character <= '9';
	}

	/** The last character of an incomplete group has bits that belong to no byte. */
	private static boolean hasNoUnusedBits(char last, int rest) {
		int value = isLetter(last) ? LETTERS.indexOf(last) : (last == '+' || last == '-') ? 62 : 63;
		return (value & ((rest == 2) ? 15 : 3)) == 0;
	}

}
