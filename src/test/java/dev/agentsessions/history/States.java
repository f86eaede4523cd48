package dev.agentsessions.history;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The own states that a session had, one after each event. Like a {@link Chain}, it is
 * never changed, and compared by its hash.
 */
final class States {

	private final @Nullable States before;

	private final Map<String, String> newest;

	private final long seq;

	private final long hash;

	private States(@Nullable States before, Map<String, String> newest, long seq, long hash) {
		this.before = before;
		this.newest = newest;
		this.seq = seq;
		this.hash = hash;
	}

	/** Those of a new session. */
	static States of(Map<String, String> initial) {
		return new States(null, initial, 0, initial.hashCode());
	}

	/** With that after a further event. */
	States with(Map<String, String> state) {
		return new States(this, state, this.seq + 1, this.hash * 31 + state.hashCode());
	}

	/** The newest one. */
	Map<String, String> newest() {
		return this.newest;
	}

	/** That after an event, 0 for the initial one. */
	Map<String, String> at(long place) {
		States states = this;
		while (states.seq > place) {
			states = Objects.requireNonNull(states.before);
		}
		return states.newest;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof States states && this.seq == states.seq && this.hash == states.hash
				&& this.newest.equals(states.newest);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.seq, this.hash);
	}

	@Override
	public String toString() {
		return this.newest.toString();
	}

}
