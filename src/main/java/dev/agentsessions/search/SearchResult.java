package dev.agentsessions.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.FoundTurns.FoundTurn;
import dev.agentsessions.search.text.SnippetMaker.Snippet;

/**
 * The answer to a search.
 *
 * @param hits the hits, the best first
 * @param ranked the number of hits that the page covers, with those that are gone
 * meanwhile
 * @param more whether there are further ones
 * @param missing the number of events that are not indexed yet
 * @param events the number of all events to search, indexed or not; with none missing, it
 * may be 0
 * @param semantic whether the meaning of the query counts; {@code null} without an
 * embedding model
 */
public record SearchResult(List<Hit> hits, int ranked, boolean more, long missing, long events,
		@Nullable Boolean semantic) {

	/**
	 * A turn that matches a query, with the part of it that has the words.
	 *
	 * @param found the turn
	 * @param snippet the part that has the words of the query
	 */
	public record Hit(FoundTurn found, Snippet snippet) {

	}

}
