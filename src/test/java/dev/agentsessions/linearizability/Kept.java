package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What the service keeps under one session id: the model that answers are compared with.
 * Its methods are the rules of a session, without time, storage or other sessions.
 *
 * @param owner the user whose session it is; blank if there is none
 * @param revision how many events it has
 * @param clock its last update time
 * @param states its own states so far; keys and JSON values
 * @param events its history
 * @param displayName its name, blank for none
 * @param details identifies its details, {@code null} as long as no answer has told it
 * @param key the part of its tags that tells it from others of its id, {@code null} as
 * long as no answer has told it
 * @param end the request that said when it ends, 0 for none
 * @param held whose turn it is
 * @param files its artifacts
 */
record Kept(String owner, long revision, Clock clock, States states, Chain events, String displayName,
		@Nullable Integer details, @Nullable String sessionKey, long end, Held held, Files files) {

	/** No session. */
	static final Kept NOTHING = new Kept("", 0, Clock.UNKNOWN, States.of(Map.of()), Chain.EMPTY, "", 0, null, 0,
			Held.NOBODY, Files.NONE);

	static final String REMOVED = "\"__ADK_SENTINEL_REMOVED__\"";

	/** A new session. */
	static Kept created(String owner, Map<String, String> state, List<Draft> events, String displayName, long end) {
		return new Kept(owner, 0, Clock.UNKNOWN, States.of(apply(Map.of(), state)), Chain.EMPTY, displayName, 0, null,
				end, Held.NOBODY, Files.NONE)
			.append(events);
	}

	/** A session that an import made. */
	static Kept restored(String owner, Map<String, String> initial, List<Draft> events, String displayName,
			int details) {
		return new Kept(owner, 0, Clock.UNKNOWN, States.of(apply(Map.of(), initial)), Chain.EMPTY, displayName, details,
				null, 0, Held.NOBODY, Files.NONE)
			.append(events);
	}

	/** A fork, as its answer shows it. */
	static Kept forked(Seen seen, List<String> events, Tag tag) {
		return new Kept(String.valueOf(seen.owner()), events.size(), Clock.of(String.valueOf(seen.lastUpdateTime())),
				States.since(events.size(), Objects.requireNonNull(seen.state())), Chain.of(events),
				String.valueOf(seen.displayName()), tag.details(), tag.sessionKey(), 0, Held.NOBODY, Files.NONE);
	}

	/** Its own state. */
	Map<String, String> state() {
		return this.states.newest();
	}

	boolean isGone() {
		return this.owner.isEmpty();
	}

	/** Whether there is a session of this user; {@code null} for any. */
	boolean isOf(@Nullable String user) {
		return !isGone() && (user == null || user.equals(this.owner));
	}

	/** With events behind all that are there, and their changes of the state. */
	Kept append(List<Draft> drafts) {
		States changed = this.states;
		for (Draft draft : drafts) {
			changed = changed.with(apply(changed.newest(), draft.own()));
		}
		return new Kept(this.owner, this.revision + drafts.size(), this.clock.risen(), changed,
				this.events.with(drafts.stream().map(Draft::token).toList()), this.displayName, this.details,
				this.sessionKey, this.end, this.held, this.files);
	}

	/** With another lease, or none. */
	Kept leased(Held newHeld) {
		return new Kept(this.owner, this.revision, this.clock, this.states, this.events, this.displayName, this.details,
				this.sessionKey, this.end, newHeld, this.files);
	}

	/** With other artifacts. */
	Kept with(Files newFiles) {
		return new Kept(this.owner, this.revision, this.clock, this.states, this.events, this.displayName, this.details,
				this.sessionKey, this.end, this.held, newFiles);
	}

	/** With another name or another end. */
	Kept describe(@Nullable String newName, long newEnd) {
		return new Kept(this.owner, this.revision, this.clock, this.states, this.events,
				(newName != null) ? newName : this.displayName, null, this.sessionKey,
				(newEnd != 0) ? newEnd : this.end, this.held, this.files);
	}

	/** With what an answer tells, if it does not contradict. */
	List<Kept> learn(@Nullable Tag tag, @Nullable String lastUpdateTime) {
		boolean timeFits = lastUpdateTime == null || this.clock.mayBe(lastUpdateTime);
		if (!timeFits || (tag != null && !new Condition(tag, null, true).mayHold(this))) {
			return List.of();
		}
		String newSessionKey = (tag != null && tag.sessionKey() != null) ? tag.sessionKey() : this.sessionKey;
		Integer newDetails = (tag != null && tag.sessionKey() != null) ? Integer.valueOf(tag.details()) : this.details;
		return List.of(new Kept(this.owner, this.revision,
				(lastUpdateTime != null) ? Clock.of(lastUpdateTime) : this.clock, this.states, this.events,
				this.displayName, newDetails, newSessionKey, this.end, this.held, this.files));
	}

	/** A state after changes: a value replaces the old one whole, null too. */
	private static Map<String, String> apply(Map<String, String> state, Map<String, String> delta) {
		Map<String, String> changed = new TreeMap<>(state);
		delta.forEach((key, value) -> {
			if (value.equals(REMOVED)) {
				changed.remove(key);
			}
			else {
				changed.put(key, value);
			}
		});
		return changed;
	}

}
