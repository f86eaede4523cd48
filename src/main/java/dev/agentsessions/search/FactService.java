package dev.agentsessions.search;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService.Store.FactChange;
import dev.agentsessions.search.FactService.Store.StoredFact;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;

/** Creates, reads, changes and deletes facts. */
@Service
public class FactService {

	private final Store store;

	private final MemoryAccess access;

	private final AuditLog audit;

	FactService(Store store, MemoryAccess access, AuditLog audit) {
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

	/** Stores facts, and which events are hidden from the search. */
	public interface Store {

		/** Maximum number of facts of a scope. */
		int MAX_FACTS = 10_000;

		/**
		 * Stores a fact.
		 * @throws FactException.Conflict if another fact has its id
		 * @throws FactException.TooMany if the scope has {@link #MAX_FACTS}
		 */
		StoredFact create(MemoryScope scope, NewFact fact);

		/**
		 * Stores a fact as {@link #create} does, and also refuses an id that another
		 * scope of the app has. Facts that are stored by {@link #create} may have it all
		 * the same.
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
		 * Makes an event of the user unfindable, and all events with the same words up to
		 * its time, so that none of them takes its place. Sessions keep these events.
		 * @return whether the user has such an event
		 */
		boolean forget(StateOwner user, TurnId event);

		/**
		 * A change of a fact.
		 *
		 * @param fields the fields to set; JSON null removes one
		 * @param expiry the new expiry; {@code null} to keep the current one
		 */
		record FactChange(JsonObject fields, @Nullable Expiry expiry) {

		}

		/**
		 * The result of storing a fact.
		 *
		 * @param fact the stored fact
		 * @param isNew whether this request has created it; otherwise an equal fact with
		 * this id was there already
		 */
		record StoredFact(Fact fact, boolean isNew) {

		}

	}

	/** A failure of a request about a fact. */
	public static abstract class FactException extends SessionException {

		private FactException(Kind kind, String message) {
			super(kind, message);
		}

		/** The user has no fact with this id, or it has expired. */
		public static final class NotFound extends FactException {

			public NotFound() {
				super(Kind.MEMORY_NOT_FOUND, "Memory not found");
			}

		}

		/** Another fact with other content has the id. */
		public static final class Conflict extends FactException {

			public Conflict(String id) {
				super(Kind.ALREADY_EXISTS, "A memory with the id '" + id + "' and other content exists already");
			}

		}

		/** Facts of several users or scopes of the app have this id. */
		public static final class Ambiguous extends FactException {

			public Ambiguous(String id) {
				super(Kind.AMBIGUOUS, "Memories of several scopes have the id '" + id
						+ "'. Each can only be reached together with its user, in the dialect of ADK.");
			}

		}

		/** The user has as many facts as a user may have. */
		public static final class TooMany extends FactException {

			public TooMany(int limit) {
				super(Kind.INVALID_ARGUMENT, "The user has " + limit + " memories already, the limit");
			}

		}

	}

	/**
	 * Which facts to list, the newest first.
	 *
	 * @param scope whose facts
	 * @param before only facts that were created before this time, or at this time with a
	 * lower id than {@code beforeId}
	 * @param beforeId the id of the last fact of the page before
	 * @param limit the maximum number of facts
	 */
	public record FactQuery(MemoryScope scope, @Page.Only Instant before, @Page.Only String beforeId,
			@Page.Only int limit) {

		/** Maximum number of facts of a page. */
		public static final int MAX_LIMIT = 100;

		public FactQuery {
			limit = Math.min(limit, MAX_LIMIT);
		}

		/** Returns the query for the first page. */
		public static FactQuery first(MemoryScope scope, int limit) {
			return new FactQuery(scope, Timestamps.MAX, "", limit);
		}

		/**
		 * Returns this query for the page after a fact, which {@link #texts} describes.
		 */
		public FactQuery after(List<String> texts) {
			return new FactQuery(this.scope, Instant.parse(texts.get(0)), texts.get(1), this.limit);
		}

		/** Returns the position of a fact in this list. */
		public static String[] texts(Fact fact) {
			return new String[] { fact.createTime().toString(), fact.id() };
		}

	}

	/**
	 * A fact to store.
	 *
	 * @param id its id
	 * @param body the text, with author, time and metadata
	 * @param expiry from then on it does not exist; {@code null} or {@link Expiry#NEVER}
	 * for never
	 */
	public record NewFact(String id, FactBody body, @Nullable Expiry expiry) {

		public NewFact {
			Identifiers.check("id", id);
			InvalidArgument.check(TurnId.parse(id).isEmpty(), "id", "must not be the id of a hit of a search");
		}

	}

}
