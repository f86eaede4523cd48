package dev.agentsessions.postgres.memory;

/**
 * The facts of a user that a search looks at.
 *
 * @param count their number
 * @param words the number of their words
 * @param outdated how many of them have words of another analysis
 */
record SearchedFacts(long count, long words, long outdated) {

	/** No facts. */
	static final SearchedFacts NONE = new SearchedFacts(0, 0, 0);

}
