package dev.agentsessions.vertex.event;

import java.util.Base64;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonText;

/** Bytes in the alphabet that all clients read. */
final class StandardBase64 {

	private static final Pattern STRING = Pattern.compile("\"[A-Za-z0-9+/]*+={0,2}\"");

	private StandardBase64() {
	}

	/**
	 * Whether a value is a string of them. What is as it should be need not be copied: it
	 * may be most of the memory.
	 */
	static boolean isIn(JsonText value) {
		return value.text().length() % 4 == 2 && STRING.matcher(value.text()).matches();
	}

	/** The bytes of a text in either alphabet; what is no Base64 stays as it is. */
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
