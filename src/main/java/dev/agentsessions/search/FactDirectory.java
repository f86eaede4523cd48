package dev.agentsessions.search;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Finds the facts of an app without knowing whose they are. */
public interface FactDirectory {

	/** Returns the scopes that have a fact with an id, at most two. */
	List<MemoryScope> scopes(String appName, String id);

	/** Returns whose session an event belongs to; empty if it is gone. */
	Optional<StateOwner> owner(TurnId event);

	/**
	 * Returns a page of all facts of an app, in the order of their ids.
	 * @param after the last fact of the page before; {@code null} for the first page
	 */
	Page<ScopedFact> list(String appName, @Nullable Position after, int limit);

	/**
	 * The place of a fact in the list.
	 *
	 * @param id its id
	 * @param scope whose fact it is
	 */
	record Position(String id, MemoryScope scope) {

	}

	/**
	 * A fact of a list over all scopes of an app.
	 *
	 * @param scope whose fact it is
	 * @param fact the fact
	 */
	record ScopedFact(MemoryScope scope, Fact fact) {

	}

}
