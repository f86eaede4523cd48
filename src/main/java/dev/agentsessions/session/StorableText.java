package dev.agentsessions.session;

/** Which texts a column of the database can hold. */
final class StorableText {

	static final String RULE = "must not contain U+0000 or unpaired surrogates";

	private StorableText() {
	}

	static boolean test(String text) {
		return text.codePoints().noneMatch((c) -> c == 0 || Character.getType(c) == Character.SURROGATE);
	}

}
