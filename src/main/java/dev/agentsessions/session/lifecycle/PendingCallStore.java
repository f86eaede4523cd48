package dev.agentsessions.session.lifecycle;

import java.util.Optional;

import dev.agentsessions.session.Page;

/** Lists function calls that wait for an answer. */
public interface PendingCallStore {

	/**
	 * Lists waiting calls.
	 * @return the calls, oldest first; empty if there is no such session
	 */
	Optional<Page<PendingCall>> list(PendingQuery query);

}
