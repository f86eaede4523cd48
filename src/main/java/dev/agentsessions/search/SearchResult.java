package dev.agentsessions.search;

import java.util.List;

/**
 * The answer to a search.
 *
 * @param hits the hits, the best first
 * @param ranked the number of hits that the page covers, with those that are gone
 * meanwhile
 * @param more whether there are further ones
 * @param missing the number of events that are not indexed yet
 */
public record SearchResult(List<Hit> hits, int ranked, boolean more, long missing) {

}
