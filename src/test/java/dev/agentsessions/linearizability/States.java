package dev.agentsessions.linearizability;

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

	/** Those of a fork, whose earlier states are not known. */
	static States since(long seq, Map<String, String> state) {
		return new States(null, state, seq, state.hashCode());
	}

	/** With that after a further event. */
	States with(Map<String, String> state) {
		return new States(this, state, this.seq + 1, this.hash * 31 + state.hashCode());
	}

	/** The newest one. */
	Map<String, String> newest() {
		return this.newest;
	}

	/** Whether that after an event, 0 for the initial one, may have been this one. */
	boolean mayHaveBeen(long place, Map<String, String> state) {
		States states = find(place);
		return states == null || states.newest.equals(state);
	}

	/** That after an event, 0 for the initial one, which has to be known. */
	Map<String, String> at(long place) {
		return Objects.requireNonNull(find(place)).newest;
	}

	private @Nullable States find(long place) {
		States states = this;
		while (states != null && states.seq > place) {
			states = states.before;
		}
		return states;
	}

	boolean equalNewest(States other) {
		return this.newest.equals(other.newest);
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
