package dev.agentsessions.session.heap;

/**
 * How much memory a dialect needs, at most, for what it makes of an event, in addition to
 * the text of the event.
 *
 * @param perCharacter the number of bytes for each character of the text
 * @param perToken the number of bytes for each value of the text, whatever its length
 */
public record TranslationCost(int perCharacter, int perToken) {

	/** Of a dialect that writes events as they are stored. */
	public static final TranslationCost NONE = new TranslationCost(0, 0);

	/** Returns the number of bytes for a text. */
	public long of(String json) {
		return (long) this.perCharacter * json.length() + ((this.perToken > 0) ? this.perToken * tokens(json) : 0);
	}

	/** Counts what can begin a value, outside of strings. */
	private static long tokens(String json) {
		long tokens = 0;
		boolean inString = false;
		for (int i = 0; i < json.length(); i++) {
			char character = json.charAt(i);
			if (character == '"') {
				inString = !inString;
			}
			else if (inString && character == '\\') {
				i++;
			}
			else if (!inString && ",:[{".indexOf(character) >= 0) {
				tokens++;
			}
		}
		return tokens;
	}

}
