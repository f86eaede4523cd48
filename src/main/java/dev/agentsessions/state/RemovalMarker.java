package dev.agentsessions.state;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonText;

/**
 * What a delta has in place of a value to remove a key: a string that nobody stores on
 * purpose. JSON null is a value like any other. This is the only place that spells it.
 * Source: {@code State.REMOVED} of ADK Java 1.8.
 */
public final class RemovalMarker {

	/** Removes the key that it stands at. */
	public static final JsonText MARK = new JsonText("\"__ADK_SENTINEL_REMOVED__\"");

	private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");

	/** How long the mark is with each of its characters escaped. */
	private static final int LONGEST = "\\u005f".length() * MARK.text().length();

	private RemovalMarker() {
	}

	/** Whether a value of a delta removes its key, however its characters are written. */
	public static boolean is(JsonText value) {
		return MARK.equals(value) || (mayBeEscaped(value.text()) && MARK.text().equals(unescaped(value.text())));
	}

	/** Most values are not, and some are long. */
	private static boolean mayBeEscaped(String value) {
		return value.startsWith("\"") && value.length() <= LONGEST && value.indexOf('\\') > 0;
	}

	/** The characters of the mark have no other escapes. */
	private static String unescaped(String value) {
		return ESCAPE.matcher(value).replaceAll((escape) -> {
			char character = (char) Integer.parseInt(escape.group(1), 16);
			return Matcher.quoteReplacement(String.valueOf(character));
		});
	}

}
