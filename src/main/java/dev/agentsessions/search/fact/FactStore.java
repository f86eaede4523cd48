package dev.agentsessions.search.fact;

import java.util.Optional;

import dev.agentsessions.search.TurnId;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Stores facts, and which events no search finds any more. */
public interface FactStore {

	/** Maximum number of facts of a user. */
	int MAX_FACTS = 10_000;

	/**
	 * Stores a fact.
	 * @throws FactException.Conflict if another fact has its id
	 * @throws FactException.TooMany if the user has {@link #MAX_FACTS}; parallel requests
	 * may exceed it by their number
	 */
	StoredFact create(StateOwner user, NewFact fact);

	/** Returns a fact that has not expired. */
	Optional<Fact> find(StateOwner user, String id);

	/** Returns a page of the facts that have not expired. */
	Page<Fact> list(FactQuery query);

	/**
	 * Changes a fact.
	 * @return the fact after the change; empty if there is none
	 */
	Optional<Fact> update(StateOwner user, String id, FactChange change);

	/** Deletes a fact if it exists. */
	void delete(StateOwner user, String id);

	/**
	 * Makes an event of the user unfindable, and all events with the same words up to its
	 * time, so that none of them takes its place. Sessions keep these events.
	 */
	void forget(StateOwner user, TurnId event);

}
