package dev.agentsessions.session.manage;

/**
 * How much of a user was erased.
 *
 * @param sessions sessions, with their own state
 * @param events events of these sessions
 * @param userStateKeys keys of the state that they shared
 */
public record Erasure(long sessions, long events, long userStateKeys) {

	/** Nothing. */
	public static final Erasure NOTHING = new Erasure(0, 0, 0);

	/** This and something else. */
	public Erasure and(Erasure other) {
		return new Erasure(this.sessions + other.sessions, this.events + other.events,
				this.userStateKeys + other.userStateKeys);
	}

}
