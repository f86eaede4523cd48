package dev.agentsessions.session;

/** The rule for texts that a column of the database can store. */
public final class StorableText {

	/** The rule, as the end of a sentence that begins with a field. */
	public static final String RULE = "must not contain U+0000 or unpaired surrogates";

	private StorableText() {
	}

	/** Returns whether a text follows the rule. */
	public static boolean test(String text) {
		return !CodePoints.anyMatch(text, (c) -> c == 0 || Character.getType(c) == Character.SURROGATE);
	}

}
