package dev.agentsessions.postgres.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads the state that sessions share, when there is memory for it, and adds keys to it.
 */
@Component
public class SharedState {

	private static final String ADD_STATE = """
			insert into state (scope_key, key, value)
			select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value) order by key collate "C"
			on conflict do nothing
			returning key
			""";

	private static final String STATE = "select key, value from state where scope_key = ? and key = any (?)";

	private final Transactions transactions;

	private final StateRepository state;

	private final ResponseHeap memory;

	private final JdbcTemplate jdbc;

	SharedState(Transactions transactions, StateRepository state, ResponseHeap memory, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.state = state;
		this.memory = memory;
		this.jdbc = jdbc;
	}

	/** Reads the keys of an owner, without prefix. */
	public Map<String, JsonText> read(StateOwner owner) {
		this.memory.take(this.transactions.statement(() -> this.state.size(ScopeKey.of(owner))));
		return this.transactions.statement(() -> this.state.read(owner));
	}

	/**
	 * Adds the keys that a state does not have, within a transaction of the caller.
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
