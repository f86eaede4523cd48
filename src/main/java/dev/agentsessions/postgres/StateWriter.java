package dev.agentsessions.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Writes state within a transaction. All rows are locked by one statement in the order of
 * the primary key, those of removed keys too, so that two writers of the same keys never
 * wait for each other in a circle. Keys that come as parameters are ordered as the column
 * is, and not as texts of the database are that somebody else has created.
 */
@Component
class StateWriter {

	static final String UPSERT = """
			insert into state (scope_key, key, value)
			select scope_key, key, value::json
			from unnest(?::uuid[], ?::text[], ?::text[]) as change (scope_key, key, value)
			order by scope_key, key collate "C"
			on conflict (scope_key, key) do update set value = excluded.value
			""";

	static final String REMOVE = """
			delete from state using unnest(?::uuid[], ?::text[]) as change (scope_key, key)
			where state.scope_key = change.scope_key and state.key = change.key
			""";

	private final JdbcTemplate jdbc;

	StateWriter(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Sets keys; those that are to be removed are locked and emptied. */
	void upsert(List<StateRow> rows) {
		if (!rows.isEmpty()) {
			this.jdbc.update(UPSERT, (statement) -> keys(statement, rows).addTexts(rows, StateRow::textOrNull));
		}
	}

	/** Deletes those of these rows that are to be removed, all of them locked already. */
	void remove(List<StateRow> rows) {
		List<StateRow> removed = rows.stream().filter(StateRow::isRemoval).toList();
		if (!removed.isEmpty()) {
			this.jdbc.update(REMOVE, (statement) -> keys(statement, removed));
		}
	}

	private static Parameters keys(PreparedStatement statement, List<StateRow> rows) throws SQLException {
		return new Parameters(statement).add("uuid", rows.stream().map(StateRow::scopeKey).toArray())
			.addTexts(rows, StateRow::key);
	}

}
