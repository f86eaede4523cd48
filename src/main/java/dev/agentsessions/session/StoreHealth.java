package dev.agentsessions.session;

/** Tells whether the store can be reached. */
public interface StoreHealth {

	/**
	 * Returns whether a request failed because the store cannot be reached. In that case
	 * the log has one line for all such requests already.
	 */
	boolean explains(SessionException.Unavailable failure);

	/** Returns whether the store, or a part of it, can be reached. */
	boolean responds();

}
