package dev.agentsessions.postgres.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.StatementParameters;

/** Adds keys to shared state, within a transaction of the caller. */
@Component
public class SharedStateInsert {

	private static final String ADD_STATE = """
			insert into state (scope_key, key, value)
			select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value) order by key collate "C"
			on conflict do nothing
			returning key
			""";

	private static final String STATE = "select key, value from state where scope_key = ? and key = any (?)";

	private final JdbcTemplate jdbc;

	SharedStateInsert(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Adds the keys that a state does not have.
	 * @return the keys that it has already, with their values
	 */
	public Map<String, JsonText> add(UUID scopeKey, Map<String, JsonText> values) {
		String[] keys = values.keySet().toArray(String[]::new);
		String[] texts = values.values().stream().map(JsonText::text).toArray(String[]::new);
		List<String> added = this.jdbc.query(ADD_STATE,
				(statement) -> new StatementParameters(statement).add(scopeKey).add("text", keys).add("text", texts),
				(row, number) -> row.getString("key"));
		Map<String, JsonText> existing = new LinkedHashMap<>();
		if (added.size() < keys.length) {
			this.jdbc.query(STATE, (statement) -> new StatementParameters(statement).add(scopeKey).add("text", keys),
					(RowCallbackHandler) (row) -> existing.put(row.getString("key"),
							new JsonText(row.getString("value"))));
			added.forEach(existing::remove);
		}
		return existing;
	}

}
