package dev.agentsessions.linearizability;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Events in their order, as their {@linkplain Events#token tokens}. Appending makes a
 * longer chain and leaves this one as it is. Two chains are compared by their hashes, so
 * that it costs nothing.
 */
final class Chain {

	static final Chain EMPTY = new Chain(null, "", 0, 0, 0);

	private final @Nullable Chain before;

	private final String newest;

	private final int length;

	private final long inOrder;

	private final long inAnyOrder;

	private Chain(@Nullable Chain before, String newest, int length, long inOrder, long inAnyOrder) {
		this.before = before;
		this.newest = newest;
		this.length = length;
		this.inOrder = inOrder;
		this.inAnyOrder = inAnyOrder;
	}

	static Chain of(Collection<String> tokens) {
		return EMPTY.with(tokens);
	}

	Chain with(Collection<String> tokens) {
		Chain chain = this;
		for (String token : tokens) {
			long hash = token.hashCode() * 0x9E3779B97F4A7C15L;
			chain = new Chain(chain, token, chain.length + 1, chain.inOrder * 31 + hash,
					chain.inAnyOrder + hash * (hash >>> 20));
		}
		return chain;
	}

	int length() {
		return this.length;
	}

	/** The newest token, empty if there is none. */
	String newest() {
		return this.newest;
	}

	/** The tokens behind a place, oldest first. */
	List<String> after(long place) {
		Deque<String> tokens = new ArrayDeque<>();
		for (Chain chain = this; chain.before != null && chain.length > place; chain = chain.before) {
			tokens.addFirst(chain.newest);
		}
		return List.copyOf(tokens);
	}

	/** The tokens up to a place, oldest first. */
	List<String> upTo(long place) {
		Chain chain = this;
		while (chain.before != null && chain.length > place) {
			chain = chain.before;
		}
		return chain.after(0);
	}

	/** The token of the event with an id. */
	Optional<String> find(String id) {
		for (Chain chain = this; chain.before != null; chain = chain.before) {
			if (Events.id(chain.newest).equals(id)) {
				return Optional.of(chain.newest);
			}
		}
		return Optional.empty();
	}

	boolean hasSameEvents(Chain other) {
		return this.length == other.length && this.inAnyOrder == other.inAnyOrder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Chain chain && this.length == chain.length && this.inOrder == chain.inOrder;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.length, this.inOrder);
	}

	@Override
	public String toString() {
		return this.length + " events, the last " + after(Math.max(0, this.length - 5));
	}

}
