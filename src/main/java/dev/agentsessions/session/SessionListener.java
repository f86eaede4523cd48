package dev.agentsessions.session;

/**
 * Is told at once what this replica has done to sessions. Called by the thread of a
 * request, so it neither waits nor fails, and costs nothing where nobody wants to know.
 */
public interface SessionListener {

	/** A session has got events, or is gone. */
	void changed(SessionKey key);

}
