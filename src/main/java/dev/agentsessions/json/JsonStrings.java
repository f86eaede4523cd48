package dev.agentsessions.json;

import java.util.regex.Pattern;

import tools.jackson.core.io.JsonStringEncoder;

/** Writes strings as JSON. */
public final class JsonStrings {

	private static final Pattern SURROGATE = Pattern.compile("\\p{Cs}");

	private JsonStrings() {
	}

	/**
	 * Returns a text in double quotes, escaped. Unpaired surrogates, which UTF-8 cannot
	 * encode, are written as escapes.
	 */
	public static String quote(String text) {
		StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
		JsonStringEncoder.getInstance().quoteAsString(text, quoted);
		return escapeSurrogates(quoted.append('"'));
	}

	/** Returns a text as a JSON value. */
	public static JsonText of(String text) {
		return new JsonText(quote(text));
	}

	/**
	 * Returns a JSON text on one line, with the same value. JSON has line feeds only
	 * between its tokens. Some readers, such as those of Python, end a line at three more
	 * characters, which JSON has only in strings.
	 */
	public static String onOneLine(String json) {
		return json.replace('\n', ' ')
			.replace('\r', ' ')
			.replace("\u0085", "\\u0085")
			.replace("\u2028", "\\u2028")
			.replace("\u2029", "\\u2029");
	}

	private static String escapeSurrogates(StringBuilder json) {
		return !hasSurrogates(json) ? json.toString()
				: SURROGATE.matcher(json).replaceAll((match) -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
	}

	/** Fast path: most strings have no surrogates. */
	private static boolean hasSurrogates(StringBuilder json) {
		for (int i = 0; i < json.length(); i++) {
			if (Character.isSurrogate(json.charAt(i))) {
				return true;
			}
		}
		return false;
	}

}
