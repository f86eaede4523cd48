package dev.agentsessions.search;

import dev.agentsessions.search.text.WordQuery;
import dev.agentsessions.session.SessionException;

/** Keeps the index of what was said, and searches it. */
public interface SearchStore {

	/**
	 * Indexes what the sessions of the user have said since, and searches. A search finds
	 * every event that was acknowledged before it began, unless it reports events that
	 * are missing. It never finds events of other users, nor any that are deleted,
	 * expired or rewound.
	 * @param words the words of the query
	 * @throws SessionException.Unavailable if the search takes too long
	 */
	FoundTurns search(SearchQuery query, WordQuery words);

}
