package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactBody;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.search.text.WordQuery.Word;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;

/**
 * The columns of {@code memories} that the search needs, with the body.
 *
 * @param body the body
 * @param analysis the version of the analysis
 * @param text the text
 * @param words the words of the text
 */
record FactRow(FactBody body, int analysis, String text, List<Word> words) {

	/** The columns of a fact. */
	static final String FACT = "id, body, create_time, update_time, expire_time";

	static FactRow of(FactBody body, TextAnalysis analysis) {
		String text = body.said().text();
		return new FactRow(body, analysis.version(), text, analysis.words(text));
	}

	static Fact fact(ResultSet row, int number) throws SQLException {
		return new Fact(Objects.requireNonNull(row.getString("id")),
				new FactBody(JsonObject.parse(Objects.requireNonNull(row.getString("body")))),
				Columns.time(row, "create_time"), Columns.time(row, "update_time"),
				Columns.timeOrNull(row, "expire_time"));
	}

	/** Adds said_at, author, analysis, words, same, tokens and body. */
	StatementParameters addTo(StatementParameters parameters) throws SQLException {
		parameters.add(Timestamps.toMicroseconds(this.body.time()))
			.add(Objects.requireNonNullElse(this.body.author(), ""));
		return addIndexTo(parameters).add(this.body.fields().toJson().text());
	}

	/** Adds analysis, words, same and tokens. */
	StatementParameters addIndexTo(StatementParameters parameters) throws SQLException {
		return parameters.add(Integer.valueOf(this.analysis))
			.add(Integer.valueOf(this.words.size()))
			.add(Long.valueOf(Digests.ofText(this.text)))
			.add(TextSearchTypes.vector(this.words));
	}

	/** Whose facts they are, as columns of {@code memories}. */
	static final class FactScopes {

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

}
