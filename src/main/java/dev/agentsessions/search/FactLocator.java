package dev.agentsessions.search;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.search.FactLocator.FactDirectory.ScopedFact;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/** Finds facts by their ids, and lists the facts of all scopes. */
@Service
public class FactLocator {

	private final FactDirectory directory;

	private final AccessPolicy access;

	FactLocator(FactDirectory directory, AccessPolicy access) {
		this.directory = directory;
		this.access = access;
	}

	/**
	 * Finds whose fact has an id, which may also be that of a hit that is an event. A
	 * caller that is a user only looks at its own facts.
	 * @throws AccessException.Forbidden if the caller may not access any fact like this
	 * @throws FactException.NotFound if no scope of the app has one
	 * @throws FactException.Ambiguous if several scopes have one
	 */
	public MemoryScope locate(Access access, String appName, String id) {
		this.access.checkRole(access, appName);
		Identifiers.check("memoryId", id);
		Optional<String> user = this.access.onlyUser();
		if (user.isPresent()) {
			return MemoryScope.of(new StateOwner(appName, user.get()));
		}
		List<MemoryScope> scopes = TurnId.parse(id)
			.map((event) -> ofEvent(appName, event))
			.orElseGet(() -> this.directory.scopes(appName, id));
		if (scopes.size() > 1) {
			throw new FactException.Ambiguous(id);
		}
		return scopes.stream().findFirst().orElseThrow(FactException.NotFound::new);
	}

	private List<MemoryScope> ofEvent(String appName, TurnId event) {
		return this.directory.owner(event)
			.filter((owner) -> owner.appName().equals(appName))
			.map(MemoryScope::of)
			.stream()
			.toList();
	}

	/** Lists the facts of all scopes, for administrators. */
	public Page<ScopedFact> list(String appName, FactDirectory.@Nullable Position after, int limit) {
		this.access.check(Access.ADMINISTER, new StateOwner(appName, null));
		return this.directory.list(appName, after, Math.min(limit, FactQuery.MAX_LIMIT))
			.map((found) -> new ScopedFact(found.scope(), found.fact().seen(this.access.secrets())));
	}

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

}
