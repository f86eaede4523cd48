package dev.agentsessions.session;

import java.util.function.IntPredicate;

/** The rule for texts that a column of the database can store. */
public final class StorableText {

	/** The rule, as the end of a sentence that begins with a field. */
	public static final String RULE = "must not contain U+0000 or unpaired surrogates";

	private StorableText() {
	}

	/** Returns whether a text follows the rule. */
	public static boolean test(String text) {
		return !hasCodePoint(text, (c) -> c == 0 || Character.getType(c) == Character.SURROGATE);
	}

	/**
	 * Returns whether a text has a code point that fulfils a condition. Every request
	 * checks about ten names, and a stream for each is slow.
	 */
	static boolean hasCodePoint(String text, IntPredicate condition) {
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
