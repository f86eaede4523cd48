package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A wish to take a session back to before an invocation, with the rules of what becomes
 * of it. In the model each event is an invocation of its own, named by its token.
 *
 * @param owner the user
 * @param target the token of the event that is the first to be taken back
 * @param id the id of the event that does it, which {@link Events} knows
 * @param condition what it demands
 */
record Rewind(String owner, String target, String id, Condition condition) {

	/** Answered as new. */
	List<Kept> stored(Kept kept, @Nullable Tag tag, @Nullable String lastUpdateTime) {
		return isThere(kept) ? withFiles(kept, append(kept).stored(kept, tag, lastUpdateTime)) : List.of();
	}

	/** What it makes of a session, if it is not refused and not known. */
	List<Kept> stored(Kept kept) {
		return isThere(kept) ? withFiles(kept, append(kept).stored(kept)) : List.of();
	}

	private List<Kept> withFiles(Kept before, List<Kept> stored) {
		long seq = before.events().after(0).indexOf(this.target);
		return stored.stream().map((kept) -> kept.with(before.files().rewound(seq, before.revision()))).toList();
	}

	/** Answered as a retry of what is there. */
	List<Kept> replayed(Kept kept) {
		return append(kept).replayed(kept);
	}

	/** Refused because the session is not as demanded. */
	List<Kept> stale(Kept kept, long revision, String lastUpdateTime) {
		return append(kept).stale(kept, revision, lastUpdateTime);
	}

	/** Refused because of a lease. */
	List<Kept> outOfTurn(Kept kept) {
		return append(kept).outOfTurn(kept);
	}

	/** Refused because there is no such invocation. */
	List<Kept> unknown(Kept kept) {
		return (kept.isOf(this.owner) && !isThere(kept)) ? List.of(kept) : List.of();
	}

	private boolean isThere(Kept kept) {
		return kept.events().after(0).contains(this.target);
	}

	private Append append(Kept kept) {
		Draft event = new Draft(Events.token(this.id, "0"), isThere(kept) ? delta(kept) : Map.of(), "");
		return new Append(this.owner, List.of(event), this.condition, null, 0);
	}

	/** What was there gets its value, and what was not becomes null. */
	private Map<String, String> delta(Kept kept) {
		Map<String, String> past = kept.states().at(kept.events().after(0).indexOf(this.target));
		Map<String, String> delta = new TreeMap<>(past);
		kept.state().keySet().forEach((key) -> delta.putIfAbsent(key, "null"));
		return delta;
	}

}
