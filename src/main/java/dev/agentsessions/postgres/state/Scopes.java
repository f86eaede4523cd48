package dev.agentsessions.postgres.state;

import java.util.UUID;
import java.util.stream.Stream;

/**
 * The scope keys of the state that an agent sees in a session.
 *
 * @param app the key of the app
 * @param user the key of the user
 * @param session the key of the session
 */
public record Scopes(UUID app, UUID user, UUID session) {

	/** Returns all keys, that of the session last. */
	public Stream<UUID> stream() {
		return Stream.of(this.app, this.user, this.session);
	}

}
