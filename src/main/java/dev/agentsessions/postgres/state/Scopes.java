package dev.agentsessions.postgres.state;

import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.state.StateScope;

/**
 * The scope keys of the state that an agent sees in a session.
 *
 * @param app the key of the app
 * @param user the key of the user
 * @param session the key of the session
 */
public record Scopes(UUID app, UUID user, UUID session) {

	/** Returns the scope keys of a session with these names and this key. */
	public static Scopes of(SessionName name, UUID sessionKey) {
		return new Scopes(ScopeKey.of(name.app()), ScopeKey.of(name.user()), sessionKey);
	}

	/** Returns the keys of the state that the session shares with others. */
	public Map<StateScope, UUID> shared() {
		return new EnumMap<>(Map.of(StateScope.APP, this.app, StateScope.USER, this.user));
	}

	/** Returns all keys; the key of the session comes last. */
	public Stream<UUID> stream() {
		return Stream.concat(shared().values().stream(), Stream.of(this.session));
	}

}
