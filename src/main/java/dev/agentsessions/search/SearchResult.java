package dev.agentsessions.search;

import java.util.List;

/**
 * The answer to a search.
 *
 * @param hits the hits, the best first
 * @param more whether there are further ones
 * @param missing the number of events that are not indexed yet
 */
public record SearchResult(List<Hit> hits, boolean more, long missing) {

}
