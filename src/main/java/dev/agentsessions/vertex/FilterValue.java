package dev.agentsessions.vertex;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** The value in a filter of one field and one value. */
public final class FilterValue {

	private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([\"\\\\/bfnrt])|u([0-9a-fA-F]{4}))");

	private static final String ESCAPED = "bfnrt";

	private static final String UNESCAPED = "\b\f\n\r\t";

	private FilterValue() {
	}

	/**
	 * Returns the text between the first and the last quote, with its escapes resolved;
	 * the whole text as it is if it does not begin with a quote.
	 */
	public static String of(String text) {
		int end = text.lastIndexOf('"');
		return (text.startsWith("\"") && end > 0) ? unescaped(text.substring(1, end)) : text;
	}

	private static String unescaped(String text) {
		return ESCAPE.matcher(text)
			.replaceAll((escape) -> Matcher.quoteReplacement(character(escape.group(1), escape.group(2))));
	}

	private static String character(String escaped, @Nullable String hex) {
		if (hex != null) {
			return Character.toString((char) Integer.parseInt(hex, 16));
		}
		int special = ESCAPED.indexOf(escaped);
		return (special < 0) ? escaped : UNESCAPED.substring(special, special + 1);
	}

}
