package dev.agentsessions.postgres.state;

import java.util.UUID;
import java.util.stream.Stream;

/**
 * The keys of the owners whose states an agent sees in a session.
 *
 * @param app the key of the app
 * @param user the key of the user
 * @param session the key of the session
 */
public record Scopes(UUID app, UUID user, UUID session) {

	/** All keys; that of the session is the last one. */
	public Stream<UUID> stream() {
		return Stream.of(this.app, this.user, this.session);
	}

}
