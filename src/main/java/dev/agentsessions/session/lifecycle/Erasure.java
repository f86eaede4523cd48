package dev.agentsessions.session.lifecycle;

/**
 * The numbers of rows that an erasure of a user has removed.
 *
 * @param sessions the number of sessions, with their own state
 * @param events the number of events of these sessions
 * @param userStateKeys the number of keys of the state that they shared
 */
public record Erasure(long sessions, long events, long userStateKeys) {

	/** Nothing was removed. */
	public static final Erasure NOTHING = new Erasure(0, 0, 0);

	/** Returns the sum of this erasure and another one. */
	public Erasure and(Erasure other) {
		return new Erasure(this.sessions + other.sessions, this.events + other.events,
				this.userStateKeys + other.userStateKeys);
	}

}
