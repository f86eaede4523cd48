package dev.agentsessions.session;

/** Which texts a column of the database can hold. */
public final class StorableText {

	public static final String RULE = "must not contain U+0000 or unpaired surrogates";

	private StorableText() {
	}

	public static boolean test(String text) {
		return text.codePoints().noneMatch((c) -> c == 0 || Character.getType(c) == Character.SURROGATE);
	}

}
