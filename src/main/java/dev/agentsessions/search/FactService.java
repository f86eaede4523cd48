package dev.agentsessions.search;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;

/** Creates, reads, changes and deletes facts. */
@Service
public class FactService {

	private final FactStore store;

	private final MemoryAccess access;

	private final AuditLog audit;

	FactService(FactStore store, MemoryAccess access, AuditLog audit) {
		this.store = store;
		this.access = access;
		this.audit = audit;
	}

	/**
	 * Stores a fact. An equal fact with the same id is returned as it is.
	 * @throws FactException.Conflict if another fact has its id
	 * @throws FactException.TooMany if there are too many
	 */
	public StoredFact create(MemoryScope scope, NewFact fact) {
		this.access.check(Access.WRITE, scope);
		return this.store.create(scope, fact);
	}

	/**
	 * Stores a fact whose id no other scope of the app has, so that a caller can locate
	 * it by its id. An equal fact with the same id is returned as it is.
	 * @throws FactException.Conflict if another fact of the app has its id
	 * @throws FactException.TooMany if there are too many
	 */
	public StoredFact createLocatable(MemoryScope scope, NewFact fact) {
		this.access.check(Access.WRITE, scope);
		return this.store.createLocatable(scope, fact);
	}

	/**
	 * Stores a fact unless there is one that says the same, which is returned. Case,
	 * spaces and punctuation do not count.
	 * @throws FactException.TooMany if there are too many
	 */
	public StoredFact remember(MemoryScope scope, NewFact fact) {
		this.access.check(Access.WRITE, scope);
		return this.store.remember(scope, fact);
	}

	/**
	 * Reads a fact.
	 * @throws FactException.NotFound if there is none
	 */
	public Fact get(MemoryScope scope, String id) {
		this.access.check(Access.READ, scope);
		Identifiers.check("memoryId", id);
		return this.store.find(scope, id).orElseThrow(FactException.NotFound::new).seen(this.access.secrets());
	}

	/** Reads facts by id; omits missing ones. */
	public Map<String, Fact> getAll(MemoryScope scope, Collection<String> ids) {
		this.access.check(Access.READ, scope);
		Map<String, Fact> facts = new HashMap<>(this.store.findAll(scope, ids));
		facts.replaceAll((id, fact) -> fact.seen(this.access.secrets()));
		return facts;
	}

	/** Lists facts, the newest first. */
	public Page<Fact> list(FactQuery query) {
		this.access.check(Access.READ, query.scope());
		return this.store.list(query).map((fact) -> fact.seen(this.access.secrets()));
	}

	/**
	 * Changes a fact.
	 * @throws FactException.NotFound if there is none
	 */
	public Fact update(MemoryScope scope, String id, FactChange change) {
		this.access.check(Access.WRITE, scope);
		Identifiers.check("memoryId", id);
		return this.store.update(scope, id, change).orElseThrow(FactException.NotFound::new);
	}

	/**
	 * Deletes a fact if it exists. With the id of a hit that is an event, no search finds
	 * this event any more.
	 * @return whether there was such a fact or event
	 */
	public boolean delete(MemoryScope scope, String id) {
		this.access.check(Access.WRITE, scope);
		Identifiers.check("memoryId", id);
		Optional<TurnId> event = TurnId.parse(id);
		return this.audit.delete("fact.delete", Map.of("app", scope.appName(), "scope", scope.names(), "fact", id),
				() -> event.map((turn) -> scope.user().isPresent() && this.store.forget(scope.user().get(), turn))
					.orElseGet(() -> this.store.delete(scope, id)),
				(existed) -> Map.of("facts", existed ? 1 : 0));
	}

	/** Returns the number of facts of a scope, for callers that may delete them. */
	public long count(MemoryScope scope) {
		this.access.check(Access.WRITE, scope);
		return this.store.count(scope);
	}

	/** Deletes all facts of a scope, and returns their number. */
	public long deleteAll(MemoryScope scope) {
		this.access.check(Access.WRITE, scope);
		return this.audit.delete("facts.delete", Map.of("app", scope.appName(), "scope", scope.names()),
				() -> this.store.deleteAll(scope), (facts) -> Map.of("facts", facts));
	}

}
