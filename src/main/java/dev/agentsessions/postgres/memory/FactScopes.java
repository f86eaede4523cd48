package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.StateOwner;

/** Whose facts they are, as columns of {@code memories}. */
final class FactScopes {

	private FactScopes() {
	}

	static UUID key(MemoryScope scope) {
		return scope.user()
			.map(ScopeKey::of)
			.orElseGet(() -> ScopeKey.of(scope.appName(), new TreeMap<>(scope.names())));
	}

	/** Returns a key for a lock on the id of a fact in an app. */
	static UUID keyOfId(String appName, String id) {
		return ScopeKey.of(appName, new TreeMap<>(Map.of("memory", id)));
	}

	/** Adds scope_key, app_key, user_id and scope. */
	static StatementParameters addTo(StatementParameters parameters, MemoryScope scope) throws SQLException {
		String names = scope.user().isPresent() ? null : JsonObject.ofTexts(scope.names()).toJson().text();
		return parameters.add(key(scope)).add(ScopeKey.ofApp(scope.appName())).add(scope.userId()).add(names);
	}

	/** Reads the columns user_id and scope. */
	static MemoryScope read(ResultSet row, String appName) throws SQLException {
		Map<String, String> names = Columns.textsOrNull(row, "scope");
		return (names != null) ? new MemoryScope(appName, names)
				: MemoryScope.of(new StateOwner(appName, Objects.requireNonNull(row.getString("user_id"))));
	}

}
