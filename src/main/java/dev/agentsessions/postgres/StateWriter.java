package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StateChanges.Row;

/**
 * Writes state within a transaction. All rows are locked by one statement in the order of
 * the primary key, those of removed keys too, so that two writers of the same keys never
 * wait for each other in a circle.
 */
@Component
class StateWriter {

	static final String UPSERT = """
			insert into state (scope_key, key, value)
			select scope_key, key, value::json
			from unnest(?::uuid[], ?::text[], ?::text[]) as change (scope_key, key, value)
			order by scope_key, key
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

	void write(List<Row> rows) {
		if (rows.isEmpty()) {
			return;
		}
		this.jdbc.update((connection) -> {
			PreparedStatement upsert = prepare(connection, UPSERT, rows);
			upsert.setArray(3, connection.createArrayOf("text", rows.stream().map(StateWriter::value).toArray()));
			return upsert;
		});
		List<Row> removed = rows.stream().filter((row) -> row.value().isNull()).toList();
		if (!removed.isEmpty()) {
			this.jdbc.update((connection) -> prepare(connection, REMOVE, removed));
		}
	}

	private static PreparedStatement prepare(Connection connection, String sql, List<Row> rows) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		statement.setArray(1, connection.createArrayOf("uuid", rows.stream().map(Row::scopeKey).toArray()));
		statement.setArray(2, connection.createArrayOf("text", rows.stream().map(Row::key).toArray()));
		return statement;
	}

	private static @Nullable String value(Row row) {
		return row.value().isNull() ? null : row.value().text();
	}

}
