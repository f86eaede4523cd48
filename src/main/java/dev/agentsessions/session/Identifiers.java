package dev.agentsessions.session;

import java.util.Set;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException.InvalidArgument;

/** Rules for the names of apps, users, sessions and events. */
public final class Identifiers {

	/** Maximum length of a name in code points. */
	public static final int MAX_CODE_POINTS = 512;

	private static final Set<String> RELATIVE_SEGMENTS = Set.of(".", "..");

	private static final String PATH_CHARACTERS = "/\\;%";

	private Identifiers() {
	}

	/**
	 * Checks the name of a user. It comes from another system and may contain a slash: a
	 * user of Google Chat is called {@code users/123}.
	 * @throws SessionException.InvalidArgument naming the broken rule
	 */
	public static String checkUser(String name) {
		return checkText("userId", name);
	}

	/**
	 * Checks any other name.
	 * @param field the name of the field, for messages
	 * @throws SessionException.InvalidArgument naming the field and the broken rule
	 */
	public static String check(String field, String name) {
		checkText(field, name);
		checkOneStep(field, name);
		return name;
	}

	/**
	 * Checks that a text that is one segment of a path cannot be taken for several
	 * segments, or for another one, by a server that decodes it once more.
	 * @param field the name of the field, for messages
	 * @throws SessionException.InvalidArgument naming the field and the broken rule
	 */
	public static void checkOneStep(String field, String name) {
		if (StorableText.hasCodePoint(name, (codePoint) -> PATH_CHARACTERS.indexOf(codePoint) >= 0)) {
			throw new InvalidArgument(field, "must not contain any of / \\ ; %");
		}
	}

	/**
	 * Checks a text by the rules that hold for every name.
	 * @param field the name of the field, for messages
	 * @throws SessionException.InvalidArgument naming the field and the broken rule
	 */
	public static String checkText(String field, String name) {
		InvalidArgument.check(!name.isBlank(), field, "must not be blank");
		InvalidArgument.check(name.codePointCount(0, name.length()) <= MAX_CODE_POINTS, field,
				"must have at most " + MAX_CODE_POINTS + " characters");
		InvalidArgument.check(!RELATIVE_SEGMENTS.contains(name), field, "must not be '.' or '..'");
		InvalidArgument.check(!StorableText.hasCodePoint(name, Identifiers::isForbidden), field,
				"must not contain control characters or unpaired surrogates");
		return name;
	}

	private static boolean isForbidden(int codePoint) {
		return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
	}

	/** The rule for texts that a column of the database can store. */
	public static final class StorableText {

		/** The rule, as the end of a sentence that begins with a field. */
		public static final String RULE = "must not contain U+0000 or unpaired surrogates";

		private StorableText() {
		}

		/**
		 * Checks an optional text.
		 * @param field the name of the field, for messages
		 * @throws SessionException.InvalidArgument if it does not follow the rule
		 */
		public static void check(String field, @Nullable String text) {
			InvalidArgument.check(text == null || test(text), field, RULE);
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

}
