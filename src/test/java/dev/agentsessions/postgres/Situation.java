package dev.agentsessions.postgres;

/** What a write may find under the names of a session. */
enum Situation {

	/** Nothing. */
	NO_SESSION,
	/** A session with an event and state. */
	SESSION,
	/** A session of which nothing is found any more, and whose rows are still there. */
	EXPIRED

}
