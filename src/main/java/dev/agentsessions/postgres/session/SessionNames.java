package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;

/** Which session has a name. A name belongs to one session at a time. */
public interface SessionNames {

	/** Returns the key of the session that has a name. */
	Optional<UUID> find(UUID nameKey);

	/**
	 * Takes a name, within the transaction that inserts the session.
	 * @return {@code false} if another session has it; {@code true} if it is free, or if
	 * the insert itself finds that out
	 */
	boolean claim(UUID nameKey, UUID sessionKey);

	/** Makes the name free, within the transaction that deletes the session. */
	void release(UUID nameKey, UUID sessionKey);

}
