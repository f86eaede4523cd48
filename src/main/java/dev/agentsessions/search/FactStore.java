package dev.agentsessions.search;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Stores facts, and which events are hidden from the search. */
public interface FactStore {

	/** Maximum number of facts of a scope. */
	int MAX_FACTS = 10_000;

	/**
	 * Stores a fact.
	 * @throws FactException.Conflict if another fact has its id
	 * @throws FactException.TooMany if the scope has {@link #MAX_FACTS}
	 */
	StoredFact create(MemoryScope scope, NewFact fact);

	/**
	 * Stores a fact as {@link #create} does, and also refuses an id that another scope of
	 * the app has. Facts that are stored by {@link #create} may have it all the same.
	 */
	StoredFact createLocatable(MemoryScope scope, NewFact fact);

	/**
	 * Stores a fact unless the scope has one that says the same, which is returned.
	 * Parallel requests store it once.
	 * @throws FactException.TooMany if the scope has {@link #MAX_FACTS}
	 */
	StoredFact remember(MemoryScope scope, NewFact fact);

	/** Returns a fact that has not expired. */
	Optional<Fact> find(MemoryScope scope, String id);

	/** Returns facts by id; omits expired and missing ones. */
	Map<String, Fact> findAll(MemoryScope scope, Collection<String> ids);

	/** Returns a page of the facts that have not expired. */
	Page<Fact> list(FactQuery query);

	/**
	 * Changes a fact.
	 * @return the fact after the change; empty if there is none
	 */
	Optional<Fact> update(MemoryScope scope, String id, FactChange change);

	/** Deletes a fact, and returns whether it existed. */
	boolean delete(MemoryScope scope, String id);

	/** Returns the number of facts that have not expired. */
	long count(MemoryScope scope);

	/** Deletes all facts of a scope, and returns their number. */
	long deleteAll(MemoryScope scope);

	/**
	 * Makes an event of the user unfindable, and all events with the same words up to its
	 * time, so that none of them takes its place. Sessions keep these events.
	 * @return whether the user has such an event
	 */
	boolean forget(StateOwner user, TurnId event);

}
