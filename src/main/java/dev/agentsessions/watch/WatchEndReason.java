package dev.agentsessions.watch;

/** Why a watch ends. */
public enum WatchEndReason {

	/** The session was deleted. Another session may have the same key now. */
	SESSION_DELETED,

	/** The session has expired. */
	SESSION_EXPIRED,

	/**
	 * The session exists, but not the newest event that was shown: the database was
	 * restored, or a failover has lost it.
	 */
	HISTORY_CHANGED,

	/** The credentials of the caller are no longer valid. */
	CREDENTIALS_EXPIRED,

	/**
	 * This replica shuts down or is overloaded. The client may continue at another
	 * replica.
	 */
	INTERRUPTED

}
