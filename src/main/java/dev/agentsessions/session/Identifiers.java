package dev.agentsessions.session;

import java.util.Set;

/** Which texts may name an app, a user, a session or an event. */
public final class Identifiers {

	public static final int MAX_LENGTH = 512;

	private static final Set<String> PATH_STEPS = Set.of(".", "..");

	private static final String CHARACTERS_OF_PATHS = "/\\;%";

	private Identifiers() {
	}

	/**
	 * Checks the name of a user, who comes from elsewhere: a user of Google Chat is
	 * called {@code users/123}.
	 * @throws SessionException.InvalidArgument naming the rule it breaks
	 */
	public static String checkUser(String name) {
		return checkText("userId", name);
	}

	/**
	 * Checks any other name.
	 * @param field what the name is for, to be told to the caller
	 * @throws SessionException.InvalidArgument naming the field and the rule it breaks
	 */
	public static String check(String field, String name) {
		checkText(field, name);
		checkOneStep(field, name);
		return name;
	}

	/**
	 * Checks that a text which is one step of a path could not be taken for several, or
	 * for another one, by whoever decodes it once more.
	 * @param field what the text is, to be told to the caller
	 * @throws SessionException.InvalidArgument naming the field and the rule it breaks
	 */
	public static void checkOneStep(String field, String name) {
		if (name.chars().anyMatch((character) -> CHARACTERS_OF_PATHS.indexOf(character) >= 0)) {
			throw new SessionException.InvalidArgument(field, "must not contain any of / \\ ; %");
		}
	}

	/**
	 * Checks a text that may name anything.
	 * @param field what the text is, to be told to the caller
	 * @throws SessionException.InvalidArgument naming the field and the rule it breaks
	 */
	public static String checkText(String field, String name) {
		if (name.isBlank()) {
			throw new SessionException.InvalidArgument(field, "must not be blank");
		}
		if (name.codePointCount(0, name.length()) > MAX_LENGTH) {
			throw new SessionException.InvalidArgument(field, "must have at most " + MAX_LENGTH + " characters");
		}
		if (PATH_STEPS.contains(name)) {
			throw new SessionException.InvalidArgument(field, "must not be '.' or '..'");
		}
		if (name.codePoints().anyMatch(Identifiers::isForbidden)) {
			throw new SessionException.InvalidArgument(field,
					"must not contain control characters or unpaired surrogates");
		}
		return name;
	}

	private static boolean isForbidden(int codePoint) {
		return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
	}

}
