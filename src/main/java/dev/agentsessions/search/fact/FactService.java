package dev.agentsessions.search.fact;

import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.agentsessions.search.TurnId;
import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Creates, reads, changes and deletes facts about a user. */
@Service
public class FactService {

	private final FactStore store;

	private final AccessPolicy access;

	FactService(FactStore store, AccessPolicy access) {
		this.store = store;
		this.access = access;
	}

	/**
	 * Stores a fact. An equal fact with the same id is returned as it is.
	 * @throws FactException.Conflict if another fact has its id
	 * @throws FactException.TooMany if the user has too many
	 */
	public StoredFact create(StateOwner user, NewFact fact) {
		this.access.check(Access.WRITE, user);
		return this.store.create(user, fact);
	}

	/**
	 * Reads a fact.
	 * @throws FactException.NotFound if there is none
	 */
	public Fact get(StateOwner user, String id) {
		this.access.check(Access.READ, user);
		Identifiers.check("memoryId", id);
		return this.store.find(user, id).orElseThrow(FactException.NotFound::new);
	}

	/** Lists facts, the newest first. */
	public Page<Fact> list(FactQuery query) {
		this.access.check(Access.READ, query.user());
		return this.store.list(query);
	}

	/**
	 * Changes a fact.
	 * @throws FactException.NotFound if there is none
	 */
	public Fact update(StateOwner user, String id, FactChange change) {
		this.access.check(Access.WRITE, user);
		Identifiers.check("memoryId", id);
		return this.store.update(user, id, change).orElseThrow(FactException.NotFound::new);
	}

	/**
	 * Deletes a fact if it exists. With the id of a hit that is an event, no search finds
	 * this event any more.
	 */
	public void delete(StateOwner user, String id) {
		this.access.check(Access.WRITE, user);
		Identifiers.check("memoryId", id);
		Optional<TurnId> event = TurnId.parse(id);
		event.ifPresentOrElse((turn) -> this.store.forget(user, turn), () -> this.store.delete(user, id));
	}

}
