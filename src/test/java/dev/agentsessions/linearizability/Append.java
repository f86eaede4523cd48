package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A wish to add events to a session, all or none, with the rules of what becomes of it.
 *
 * @param owner the user, {@code null} for whoever has the session
 * @param events the events; none if only details are changed
 * @param condition what it demands
 * @param displayName the new name, {@code null} to keep it
 * @param end this request if it says when the session ends, 0 otherwise
 */
record Append(@Nullable String owner, List<Draft> events, Condition condition, @Nullable String displayName, long end) {

	/** Answered as new. */
	List<Kept> stored(Kept kept, @Nullable Tag tag, @Nullable String lastUpdateTime) {
		List<Kept> stored = stored(kept);
		boolean all = unknown(kept).size() == this.events.size();
		return (stored.isEmpty() || !all) ? stored : stored.get(0).learn(tag, lastUpdateTime);
	}

	/** What it makes of a session, if it is not refused and not known. */
	List<Kept> stored(Kept kept) {
		List<Draft> unknown = unknown(kept);
		boolean describes = this.displayName != null || this.end != 0;
		if (!kept.isOf(this.owner) || conflicts(kept) || !this.condition.mayHold(kept)
				|| (unknown.isEmpty() && !this.events.isEmpty()) || !isAllowed(kept)) {
			return List.of();
		}
		Kept appended = this.events.isEmpty() ? kept : kept.append(unknown);
		return List.of(describes ? appended.describe(this.displayName, this.end) : appended);
	}

	/** Answered as a retry of what is there, whatever the condition. */
	List<Kept> replayed(Kept kept) {
		return (kept.isOf(this.owner) && !conflicts(kept) && unknown(kept).isEmpty()) ? List.of(kept) : List.of();
	}

	/** Answered as the one or the other, without saying which. */
	List<Kept> storedOrReplayed(Kept kept) {
		List<Kept> replayed = replayed(kept);
		return replayed.isEmpty() ? stored(kept) : replayed;
	}

	/** Refused because an id is taken by another event. */
	List<Kept> conflicting(Kept kept) {
		return (kept.isOf(this.owner) && conflicts(kept)) ? List.of(kept) : List.of();
	}

	/** Refused because the session is not as demanded, with what it is instead. */
	List<Kept> stale(Kept kept, long revision, String lastUpdateTime) {
		boolean refused = isNew(kept) && isAllowed(kept) && this.condition.mayFail(kept);
		return (refused && kept.revision() == revision) ? kept.learn(null, lastUpdateTime) : List.of();
	}

	/** Refused because of a lease, whatever else it demands. */
	List<Kept> outOfTurn(Kept kept) {
		return (isNew(kept) && !isAllowed(kept)) ? List.of(kept) : List.of();
	}

	private boolean isNew(Kept kept) {
		return kept.isOf(this.owner) && !conflicts(kept) && (this.events.isEmpty() || !unknown(kept).isEmpty());
	}

	/** Changes of details are nobody's turn. */
	private boolean isAllowed(Kept kept) {
		Long lease = this.condition.lease();
		return (this.events.isEmpty() && lease == null) || kept.held().allows(lease);
	}

	private List<Draft> unknown(Kept kept) {
		return this.events.stream().filter((event) -> kept.events().find(Events.id(event.token())).isEmpty()).toList();
	}

	private boolean conflicts(Kept kept) {
		return this.events.stream().anyMatch((event) -> {
			Optional<String> sameId = kept.events().find(Events.id(event.token()));
			return sameId.isPresent() && !sameId.get().equals(event.token());
		});
	}

}
