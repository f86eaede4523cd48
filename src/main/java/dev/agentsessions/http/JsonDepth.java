package dev.agentsessions.http;

import dev.agentsessions.session.SessionException;

/** How deep the objects and arrays of a JSON text are nested. */
final class JsonDepth {

	/** No parser of ours goes deeper. */
	static final int MAX = 500;

	private JsonDepth() {
	}

	/**
	 * Checks a text that need not be valid.
	 * @throws SessionException.InvalidArgument if it goes deeper
	 */
	static void check(String json, int max) {
		int depth = 0;
		for (int i = 0; i < json.length(); i++) {
			char character = json.charAt(i);
			if (character == '"') {
				i = endOfString(json, i);
			}
			else if (character == '{' || character == '[') {
				if (++depth > max) {
					throw new SessionException.InvalidArgument("The body",
							"is too deep: its nesting depth (%d) exceeds the maximum allowed (%d), agent-sessions.max-json-depth"
								.formatted(depth, max));
				}
			}
			else if (character == '}' || character == ']') {
				depth--;
			}
		}
	}

	private static int endOfString(String json, int start) {
		int end = start + 1;
		while (end < json.length() && json.charAt(end) != '"') {
			end += (json.charAt(end) == '\\') ? 2 : 1;
		}
		return end;
	}

}
