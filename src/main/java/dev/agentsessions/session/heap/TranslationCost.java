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

	/**
	 * Counts what can begin a value. In strings it counts too much, which only costs
	 * time.
	 */
	private static long tokens(String json) {
		return json.chars().filter((character) -> ",:[{".indexOf(character) >= 0).count();
	}

}
