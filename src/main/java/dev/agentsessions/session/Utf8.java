package dev.agentsessions.session;

import java.nio.charset.StandardCharsets;

/** How long a text is in UTF-8. */
final class Utf8 {

	/** No character of Java's has more bytes; a pair of surrogates has four. */
	private static final int MAX_BYTES = 3;

	private Utf8() {
	}

	/** Whether a text has more bytes than so many; most are not even counted. */
	static boolean isLonger(String text, long bytes) {
		return text.length() > bytes
				|| text.length() > bytes / MAX_BYTES && text.getBytes(StandardCharsets.UTF_8).length > bytes;
	}

}
