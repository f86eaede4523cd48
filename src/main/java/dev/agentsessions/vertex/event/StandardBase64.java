package dev.agentsessions.vertex.event;

import java.util.Base64;
import java.util.regex.Pattern;

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
		return value.text().length() % 4 == 2 && STRING.matcher(value.text()).matches();
	}

	/**
	 * Converts a text from the standard or URL-safe alphabet; a text that is not Base64
	 * stays unchanged.
	 */
	static String of(String text) {
		try {
			byte[] bytes = Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
			return Base64.getEncoder().encodeToString(bytes);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
