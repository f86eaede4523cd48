package dev.agentsessions.json;

import tools.jackson.core.JsonParser;

/**
 * Tells whether a JSON string is Base64, in either alphabet, with or without padding. It
 * looks at the text as it was sent, because the data of a part may use most of the
 * memory.
 */
final class Base64Text {

	private static final int GROUP = 4;

	private Base64Text() {
	}

	/** Whether the string at which a parser is, is Base64. */
	static boolean isCurrent(JsonParser parser, String text) {
		int start = (int) parser.currentTokenLocation().getCharOffset() + 1;
		int end = endOfCharacters(text, start);
		if (text.charAt(end) == '\\') {
			return isWhole(parser.getString());
		}
		return text.charAt(end) == '"' && isLength(end - start);
	}

	/** A string with escapes, which are rare, is checked after they are resolved. */
	private static boolean isWhole(String content) {
		int end = endOfCharacters(content + '"', 0);
		return end == content.length() && isLength(end);
	}

	/**
	 * Returns the offset after the last character, and after at most two signs of
	 * padding.
	 */
	private static int endOfCharacters(String text, int start) {
		int end = start;
		while (isCharacter(text.charAt(end))) {
			end++;
		}
		for (int padding = 0; padding < 2 && text.charAt(end) == '='; padding++) {
			end++;
		}
		return end;
	}

	private static boolean isCharacter(char character) {
		return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
				|| character >= '0' && character <= '9' || "+/-_".indexOf(character) >= 0;
	}

	/** One character alone has less than a byte. */
	private static boolean isLength(int length) {
		return length % GROUP != 1;
	}

}
