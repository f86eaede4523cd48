package dev.agentsessions.session.lifecycle;

import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/** Recognises repeated creations. */
public interface CreationStore {

	/**
	 * Finds the session that a creation has made. The creation is stored as safely as a
	 * write when the method returns.
	 * @return the birth of the session; empty if there is no session with this name, or
	 * it comes from another creation
	 * @throws SessionException.AlreadyExists if it comes from a request with the same key
	 * and other content
	 */
	Optional<UUID> find(SessionKey name, CreationId creation);

}
