package dev.agentsessions.session;

/**
 * Learns at once which sessions this replica has changed. Request threads call it, so it
 * neither waits nor fails, and costs nothing if no client watches.
 */
public interface SessionListener {

	/** A session has new events, or was deleted. */
	void changed(SessionName name);

}
