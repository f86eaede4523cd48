package dev.agentsessions.state;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonText;

/**
 * The sentinel that removes a key in a state delta: a string that no client stores on
 * purpose. JSON null is a value like any other. Only this class contains the literal.
 * Source: {@code State.REMOVED} of ADK Java 1.8.
 */
public final class RemovalMarker {

	/** Removes the key whose value it is. */
	public static final JsonText REMOVED = new JsonText("\"__ADK_SENTINEL_REMOVED__\"");

	private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");

	/** Length of the sentinel in characters if each of them is escaped. */
	private static final int MAX_ESCAPED_CHARS = "\\u005f".length() * REMOVED.length();

	private RemovalMarker() {
	}

	/**
	 * Returns whether a value of a delta removes its key, also if it contains escapes.
	 */
	public static boolean is(JsonText value) {
		return REMOVED.equals(value) || (mayBeEscaped(value.text()) && REMOVED.text().equals(unescaped(value.text())));
	}

	/** Fast path: most values are not the sentinel, and some are long. */
	private static boolean mayBeEscaped(String value) {
		return value.startsWith("\"") && value.length() <= MAX_ESCAPED_CHARS && value.indexOf('\\') > 0;
	}

	/** Decodes the only escapes that the characters of the sentinel have. */
	private static String unescaped(String value) {
		return ESCAPE.matcher(value).replaceAll((escape) -> {
			char character = (char) Integer.parseInt(escape.group(1), 16);
			return Matcher.quoteReplacement(String.valueOf(character));
		});
	}

}
