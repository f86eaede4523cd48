package dev.agentsessions.linearizability;

import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is at a session.
 *
 * @param number of the lease; 0 if no answer has told it, so that nobody can show it
 * @param holder blank for nobody
 * @param exclusive whether only the holder may append
 */
record Held(long number, String holder, boolean exclusive) {

	static final Held NOBODY = new Held(0, "", false);

	/** Whether somebody may have it who shows no number. */
	boolean isFreeFor(String other) {
		return this.holder.isEmpty() || this.holder.equals(other);
	}

	/** Whether it is this one. */
	boolean is(long shown) {
		return !this.holder.isEmpty() && this.number == shown;
	}

	/** Whether an append may come under this lease, or under none. */
	boolean allows(@Nullable Long shown) {
		return (shown != null) ? is(shown) : !this.exclusive;
	}

}
