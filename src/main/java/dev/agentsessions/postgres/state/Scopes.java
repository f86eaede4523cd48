package dev.agentsessions.postgres.state;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.json.JsonText;
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

	/** Returns all keys; the key of the session comes last. */
	public Stream<UUID> stream() {
		return Stream.of(this.app, this.user, this.session);
	}

	/** State of one or more scopes. */
	public static final class StateByScope {

		private final Map<UUID, Map<String, JsonText>> byScope = new HashMap<>();

		public void add(UUID scopeKey, String key, JsonText value) {
			this.byScope.computeIfAbsent(scopeKey, (scope) -> new LinkedHashMap<>()).put(key, value);
		}

		private Map<String, JsonText> of(UUID scopeKey) {
			return this.byScope.getOrDefault(scopeKey, Map.of());
		}

		/** Returns the state that an agent sees in a session, keys with prefixes. */
		public Map<String, JsonText> merged(Scopes scopes) {
			return StateScope.merged(of(scopes.session()),
					new EnumMap<>(Map.of(StateScope.APP, of(scopes.app()), StateScope.USER, of(scopes.user()))));
		}

	}

}
