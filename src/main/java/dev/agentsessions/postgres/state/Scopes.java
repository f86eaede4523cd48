package dev.agentsessions.postgres.state;

import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.SessionKey;

/**
 * The scope keys of the state that an agent sees in a session.
 *
 * @param app the key of the app
 * @param user the key of the user
 * @param session the key of the session
 */
public record Scopes(UUID app, UUID user, UUID session) {

	/** Returns the scope keys of a session with these names and this key. */
	public static Scopes of(SessionKey names, UUID sessionKey) {
		return new Scopes(ScopeKey.of(names.app()), ScopeKey.of(names.user()), sessionKey);
	}

	/** Returns the keys of the state that the session shares with others. */
	public Stream<UUID> shared() {
		return Stream.of(this.app, this.user);
	}

	/** Returns all keys, that of the session last. */
	public Stream<UUID> stream() {
		return Stream.concat(shared(), Stream.of(this.session));
	}

}
