package dev.agentsessions.watch;

import java.util.List;

import dev.agentsessions.session.Event;

/**
 * The client of a watch. No method waits for the client, however slowly it reads. Any
 * thread may call.
 */
public interface WatchListener {

	/**
	 * Returns whether the client accepts events now. If not, the listener calls
	 * {@link Watch#resume} when it does again.
	 */
	boolean isReady();

	/**
	 * Sends events in their order, until the client accepts no more. The watch shows the
	 * rest again later.
	 * @param events one or more
	 * @return the number of events that the client accepted
	 */
	int show(List<Event> events);

	/**
	 * Tells the client that the service is still there, and disconnects a client that has
	 * not read for a long time.
	 */
	void heartbeat();

	/** Tells the client why no event follows, and disconnects as soon as that is sent. */
	void end(WatchEndReason reason);

	/** Why a watch ends. */
	enum WatchEndReason {

		/** The session was deleted. Another session may have the same name now. */
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

}
