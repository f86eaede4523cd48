package dev.agentsessions.postgres;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.ScopedState;

/** Reads state, that of many sessions in one query. */
@Component
class StateReader {

	private final StateRepository state;

	StateReader(StateRepository state) {
		this.state = state;
	}

	/** How large the keys and values of one owner are, about. */
	long size(StateOwner owner) {
		return this.state.size(new UUID[] { ScopeKey.of(owner) });
	}

	/** The keys and values of one owner. */
	Map<String, JsonText> read(StateOwner owner) {
		UUID scopeKey = ScopeKey.of(owner);
		return readScopes(List.of(scopeKey)).of(scopeKey);
	}

	/** Reads what is needed to merge the state of each of these sessions. */
	Found read(Collection<SessionKey> keys) {
		return readScopes(keys.stream().flatMap(StateReader::scopesOf).distinct().toList());
	}

	private static Stream<UUID> scopesOf(SessionKey key) {
		return Stream.of(ScopeKey.of(key), ScopeKey.of(key.user()), ScopeKey.of(key.app()));
	}

	private Found readScopes(Collection<UUID> scopeKeys) {
		Map<UUID, Map<String, JsonText>> byScope = new LinkedHashMap<>();
		for (StateEntity row : this.state.find(scopeKeys.toArray(UUID[]::new))) {
			byScope.computeIfAbsent(row.scopeKey(), (scopeKey) -> new LinkedHashMap<>()).put(row.key(), row.value());
		}
		return new Found(byScope);
	}

	/**
	 * State that was read.
	 *
	 * @param byScope keys and values by the key of their scope
	 */
	record Found(Map<UUID, Map<String, JsonText>> byScope) {

		/** What an agent reads in a session. */
		Map<String, JsonText> merged(SessionKey key) {
			return new ScopedState(of(ScopeKey.of(key.app())), of(ScopeKey.of(key.user())), of(ScopeKey.of(key)))
				.merged();
		}

		private Map<String, JsonText> of(UUID scopeKey) {
			return this.byScope.getOrDefault(scopeKey, Map.of());
		}

	}

}
