package dev.agentsessions.session;

/** Knows whether the store can be reached. */
public interface StoreHealth {

	/**
	 * Whether a request failed because the store cannot be reached. The log has said so
	 * by then, in one line for all such requests.
	 */
	boolean explains(SessionException.Unavailable failure);

}
