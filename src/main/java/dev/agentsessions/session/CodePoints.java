package dev.agentsessions.session;

import java.util.function.IntPredicate;

/**
 * Searches texts. Every request checks about ten names, and a stream for each is slow.
 */
final class CodePoints {

	private CodePoints() {
	}

	/** Returns whether a text has a code point that fulfils a condition. */
	static boolean anyMatch(String text, IntPredicate condition) {
		int codePoint;
		for (int index = 0; index < text.length(); index += Character.charCount(codePoint)) {
			codePoint = text.codePointAt(index);
			if (condition.test(codePoint)) {
				return true;
			}
		}
		return false;
	}

}
