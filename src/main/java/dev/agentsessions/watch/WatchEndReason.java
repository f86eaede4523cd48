package dev.agentsessions.watch;

/** Why a watch ends. */
public enum WatchEndReason {

	/** The session was deleted. Another one may have taken its place. */
	SESSION_DELETED,

	/** The time of the session is over. */
	SESSION_EXPIRED,

	/** The token of the caller is no longer valid. */
	CREDENTIALS_EXPIRED,

	/** This replica ends or has too much to do. The watch may go on elsewhere. */
	INTERRUPTED

}
