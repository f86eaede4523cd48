package dev.agentsessions.postgres.state;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;

/**
 * Writes state within a transaction. All rows are locked by one statement in the order of
 * the primary key, those of removed keys too, so that two writers of the same keys never
 * wait for each other in a circle. Keys that come as parameters are ordered as the column
 * is, and not as texts of the database are that somebody else has created.
 *
 * <p>
 * Where the tables are distributed, a row is a statement, and the machine that has the
 * row executes it; they are sent together, in the same order.
 */
@Component
public class StateWriter {

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

	private static final String UPSERT_ONE = """
			insert into state (scope_key, key, value) values (?, ?, ?::json)
			on conflict (scope_key, key) do update set value = excluded.value
			""";

	private static final String REMOVE_ONE = "delete from state where scope_key = ? and key = ?";

	private static final int PIECE = 500;

	private static final Comparator<StateRow> ORDER = Comparator.comparing(StateRow::scopeKey, ScopeKey.ORDER)
		.thenComparing(StateRow::key, ScopeKey.ORDER_OF_NAMES);

	private final JdbcTemplate jdbc;

	private final boolean distributed;

	StateWriter(JdbcTemplate jdbc, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.distributed = properties.distributed();
	}

	/** Sets keys; those that are to be removed are locked and emptied. */
	public void upsert(List<StateRow> rows) {
		if (this.distributed) {
			this.jdbc.batchUpdate(UPSERT_ONE, rows.stream().sorted(ORDER).toList(), PIECE,
					(statement, row) -> new StatementParameters(statement).add(row.scopeKey())
						.add(row.key())
						.add(row.textOrNull()));
		}
		else if (!rows.isEmpty()) {
			this.jdbc.update(UPSERT, (statement) -> keys(statement, rows).addTexts(rows, StateRow::textOrNull));
		}
	}

	/** Deletes those of these rows that are to be removed, all of them locked already. */
	public void remove(List<StateRow> rows) {
		List<StateRow> removed = rows.stream().filter(StateRow::isRemoval).toList();
		if (this.distributed) {
			this.jdbc.batchUpdate(REMOVE_ONE, removed, PIECE,
					(statement, row) -> new StatementParameters(statement).add(row.scopeKey()).add(row.key()));
		}
		else if (!removed.isEmpty()) {
			this.jdbc.update(REMOVE, (statement) -> keys(statement, removed));
		}
	}

	private static StatementParameters keys(PreparedStatement statement, List<StateRow> rows) throws SQLException {
		return new StatementParameters(statement).add("uuid", rows.stream().map(StateRow::scopeKey).toArray())
			.addTexts(rows, StateRow::key);
	}

}
