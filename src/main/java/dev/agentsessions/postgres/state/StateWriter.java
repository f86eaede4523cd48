package dev.agentsessions.postgres.state;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.postgres.StatementParameters;

/**
 * Writes state within a transaction of the caller. It locks all rows in the order of the
 * primary key, with the rows of removed keys. So two writers of the same keys never
 * deadlock.
 */
public interface StateWriter {

	/** Sets keys. Locks removed keys and sets them to null. */
	void upsert(List<StateRow> rows);

	/** Deletes the removed keys among the rows; {@link #upsert} has locked them. */
	void remove(List<StateRow> rows);

	/**
	 * Stores keys of the initial state of a session.
	 * @throws org.springframework.dao.DuplicateKeyException if one is stored already
	 */
	void insertInitial(UUID sessionKey, Map<String, JsonText> state);

	/**
	 * Writes all rows by one statement, which sorts its parameters by the collation of
	 * the column, because the database may have another default collation.
	 */
	@Component
	@OnOneMachine
	class JointState implements StateWriter {

		private static final String UPSERT = """
				insert into state (scope_key, key, value)
				select scope_key, key, value::json
				from unnest(?::uuid[], ?::text[], ?::text[]) as change (scope_key, key, value)
				order by scope_key, key collate "C"
				on conflict (scope_key, key) do update set value = excluded.value
				""";

		private static final String REMOVE = """
				delete from state using unnest(?::uuid[], ?::text[]) as change (scope_key, key)
				where state.scope_key = change.scope_key and state.key = change.key
				""";

		private static final String INSERT_INITIAL = """
				insert into initial_state (session_key, key, value)
				select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value)
				""";

		private final JdbcTemplate jdbc;

		JointState(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public void upsert(List<StateRow> rows) {
			if (!rows.isEmpty()) {
				this.jdbc.update(UPSERT, (statement) -> keys(statement, rows).addTexts(rows, StateRow::textOrNull));
			}
		}

		@Override
		public void remove(List<StateRow> rows) {
			List<StateRow> removed = rows.stream().filter(StateRow::isRemoval).toList();
			if (!removed.isEmpty()) {
				this.jdbc.update(REMOVE, (statement) -> keys(statement, removed));
			}
		}

		@Override
		public void insertInitial(UUID sessionKey, Map<String, JsonText> state) {
			if (!state.isEmpty()) {
				this.jdbc.update(INSERT_INITIAL,
						(statement) -> new StatementParameters(statement).add(sessionKey)
							.addTexts(List.copyOf(state.keySet()), (key) -> key)
							.addTexts(List.copyOf(state.values()), JsonText::text));
			}
		}

		private static StatementParameters keys(PreparedStatement statement, List<StateRow> rows) throws SQLException {
			return new StatementParameters(statement).add("uuid", rows.stream().map(StateRow::scopeKey).toArray())
				.addTexts(rows, StateRow::key);
		}

	}

}
