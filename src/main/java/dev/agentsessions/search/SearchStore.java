package dev.agentsessions.search;

import java.util.Collection;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.text.WordQuery;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/** Keeps the index of the texts of sessions, and searches it. */
public interface SearchStore {

	/**
	 * Indexes the events that the sessions of the user have received since they were last
	 * indexed, and searches. A search finds every event that was acknowledged before it
	 * began, unless it reports events that are missing. It never finds events of other
	 * users, nor any that are deleted, expired or rewound.
	 * @param words the words of the query
	 * @throws SessionException.Unavailable if the search takes too long
	 */
	FoundTurns search(SearchQuery query, WordQuery words);

	/**
	 * Indexes what a session has said since it was last indexed, at most as much as a
	 * search does.
	 * @return whether the user has such a session
	 */
	boolean index(SessionKey key);

	/**
	 * Indexes what the sessions of the user have said since they were last indexed, and
	 * returns those of some texts that none of them says. Case, spaces and punctuation do
	 * not count.
	 * @throws SessionException.Unavailable if that takes more than a few seconds
	 */
	Set<String> unsaid(StateOwner user, Collection<String> texts);

	/**
	 * Indexes what the users of an app have said since they were last indexed, one user
	 * after the other, for a few seconds.
	 * @param after the last user that is done; {@code null} to begin with the first one
	 */
	IndexProgress index(String appName, @Nullable String after);

}
