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
 * Writes state within a transaction of the caller. One statement locks all rows in the
 * order of the primary key, with the rows of removed keys. So two writers of the same
 * keys never deadlock. The statement sorts its parameters by the collation of the column,
 * because the database may have another default collation.
 *
 * <p>
 * Where the tables are distributed, each row has a statement of its own, which the
 * machine with the row executes. The statements are sent as one batch, in the same order.
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

	private static final int MAX_BATCH_ROWS = 500;

	private static final Comparator<StateRow> ORDER = Comparator.comparing(StateRow::scopeKey, ScopeKey.ORDER)
		.thenComparing(StateRow::key, ScopeKey.ORDER_OF_NAMES);

	private final JdbcTemplate jdbc;

	private final boolean distributed;

	StateWriter(JdbcTemplate jdbc, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.distributed = properties.distributed();
	}

	/** Sets keys. Locks removed keys and sets them to null. */
	public void upsert(List<StateRow> rows) {
		if (this.distributed) {
			this.jdbc.batchUpdate(UPSERT_ONE, rows.stream().sorted(ORDER).toList(), MAX_BATCH_ROWS,
					(statement, row) -> new StatementParameters(statement).add(row.scopeKey())
						.add(row.key())
						.add(row.textOrNull()));
		}
		else if (!rows.isEmpty()) {
			this.jdbc.update(UPSERT, (statement) -> keys(statement, rows).addTexts(rows, StateRow::textOrNull));
		}
	}

	/** Deletes the removed keys among the rows; {@link #upsert} has locked them. */
	public void remove(List<StateRow> rows) {
		List<StateRow> removed = rows.stream().filter(StateRow::isRemoval).toList();
		if (this.distributed) {
			this.jdbc.batchUpdate(REMOVE_ONE, removed, MAX_BATCH_ROWS,
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
