package dev.agentsessions.session;

import java.util.Set;

/** Which texts may name an app, a user, a session or an event. */
final class Identifiers {

	static final int MAX_LENGTH = 512;

	private static final Set<String> PATH_STEPS = Set.of(".", "..");

	private static final String FORBIDDEN_CHARACTERS = "/\\;%";

	private Identifiers() {
	}

	/**
	 * Checks a name.
	 * @param field what the name is for, to be told to the caller
	 * @throws SessionException.InvalidArgument naming the field and the rule it breaks
	 */
	static String check(String field, String name) {
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
					"must not contain control characters, unpaired surrogates or any of / \\ ; %");
		}
		return name;
	}

	private static boolean isForbidden(int codePoint) {
		return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE
				|| FORBIDDEN_CHARACTERS.indexOf(codePoint) >= 0;
	}

}
