package dev.agentsessions.search;

import java.util.List;

/**
 * A page of the turns that match a query.
 *
 * @param turns the turns, the best first
 * @param ranked the number of hits that the page covers, with those that are gone
 * meanwhile
 * @param more whether there are further ones
 * @param missing the number of events that are not indexed yet
 */
public record FoundTurns(List<FoundTurn> turns, int ranked, boolean more, long missing) {

	/** Nothing was found. */
	public static final FoundTurns NONE = new FoundTurns(List.of(), 0, false, 0);

}
