package dev.agentsessions.vertex.event;

import java.util.Base64;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonText;

/** Base64 in the standard alphabet, which all clients read. */
final class StandardBase64 {

	private static final Pattern STRING = Pattern.compile("\"[A-Za-z0-9+/]*+={0,2}\"");

	private StandardBase64() {
	}

	/**
	 * Returns whether a value is a string of such Base64. Such a value is not copied: the
	 * copy could take most of the memory.
	 */
	static boolean isIn(JsonText value) {
		// The quotes are two characters
		return value.length() % 4 == 2 && value.matches(STRING);
	}

	/**
	 * Converts a value from the standard or URL-safe alphabet; a value that is not Base64
	 * stays unchanged.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not a string
	 */
	static JsonText of(JsonText value, String field) {
		try {
			byte[] bytes = Base64.getDecoder().decode(value.string(field).replace('-', '+').replace('_', '/'));
			return quoted(Base64.getEncoder().encodeToString(bytes));
		}
		catch (IllegalArgumentException ex) {
			return value;
		}
	}

	/** Returns a string of Base64, which has nothing to escape, as a JSON value. */
	static JsonText quoted(String base64) {
		return new JsonText('"' + base64 + '"');
	}

}
