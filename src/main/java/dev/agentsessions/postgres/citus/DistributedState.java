package dev.agentsessions.postgres.citus;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.lifecycle.ScopesStatement;
import dev.agentsessions.postgres.state.Scopes.StateByScope;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;

/**
 * Writes state by a statement for each row, which the machine with the row executes. They
 * are sent as one batch, in the order of the primary key. An insert from a query, of many
 * rows, would be executed in another way, whose errors do not say that a key exists.
 */
@Component
@ConditionalOnBooleanProperty("agent-sessions.distributed")
class DistributedState implements StateWriter, ScopesStatement {

	private static final String UPSERT = """
			insert into state (scope_key, key, value) values (?, ?, ?::json)
			on conflict (scope_key, key) do update set value = excluded.value
			""";

	private static final String REMOVE = "delete from state where scope_key = ? and key = ?";

	private static final String INSERT_INITIAL = "insert into initial_state (session_key, key, value) values (?, ?, ?::json)";

	/** All machines execute it in parallel, and {@link #ROWS} as well. */
	private static final String SIZES = "select scope_key, " + StateRepository.SIZE
			+ " as size from state where scope_key = any (?) limit ?";

	/** If some scopes have too many keys, this part of them is measured. */
	private static final int PART = 4;

	private static final String ROWS = "select scope_key, key, value from state where scope_key = any (?)"
			+ " order by scope_key, key";

	private static final int MAX_BATCH_ROWS = 500;

	private static final Comparator<StateRow> ORDER = Comparator.comparing(StateRow::scopeKey, ScopeKey.ORDER)
		.thenComparing(StateRow::key, ScopeKey.ORDER_OF_NAMES);

	private final JdbcTemplate jdbc;

	DistributedState(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public void upsert(List<StateRow> rows) {
		this.jdbc.batchUpdate(UPSERT, rows.stream().sorted(ORDER).toList(), MAX_BATCH_ROWS, (statement,
				row) -> new StatementParameters(statement).addAll(row.scopeKey(), row.key(), row.textOrNull()));
	}

	@Override
	public void remove(List<StateRow> rows) {
		this.jdbc.batchUpdate(REMOVE, rows.stream().filter(StateRow::isRemoval).toList(), MAX_BATCH_ROWS,
				(statement, row) -> new StatementParameters(statement).addAll(row.scopeKey(), row.key()));
	}

	@Override
	public void insertInitial(UUID sessionKey, Map<String, JsonText> state) {
		this.jdbc.batchUpdate(INSERT_INITIAL, state.entrySet(), MAX_BATCH_ROWS,
				(statement, entry) -> new StatementParameters(statement).addAll(sessionKey, entry.getKey(),
						entry.getValue().text()));
	}

	/** Reads the sizes of the first scopes, and then the rows of those that fit. */
	@Override
	public int read(List<UUID> scopes, long maxBytes, long maxKeys, StateByScope found) {
		List<UUID> first = scopes;
		Map<UUID, Long> sizes = new HashMap<>();
		while (!measure(first, maxKeys, sizes)) {
			if (first.size() == 1) {
				return 0;
			}
			first = first.subList(0, 1 + first.size() / PART);
		}
		int scopesRead = 0;
		long before = 0;
		while (scopesRead < first.size() && before < maxBytes
				&& sizes.getOrDefault(first.get(scopesRead), 0L) < maxBytes) {
			before += sizes.getOrDefault(first.get(scopesRead++), 0L);
		}
		Object[] fitting = first.subList(0, scopesRead).toArray();
		this.jdbc.query(ROWS, (statement) -> new StatementParameters(statement).add("uuid", fitting), (row) -> {
			found.add(row.getObject("scope_key", UUID.class), row.getString("key"),
					new JsonText(row.getString("value")));
		});
		return scopesRead;
	}

	/**
	 * Returns whether the sizes are complete: the scopes have fewer keys than the
	 * maximum.
	 */
	private boolean measure(List<UUID> scopes, long maxKeys, Map<UUID, Long> sizes) {
		sizes.clear();
		AtomicLong keys = new AtomicLong();
		this.jdbc.query(SIZES,
				(statement) -> new StatementParameters(statement).add("uuid", scopes.toArray()).add(maxKeys), (row) -> {
					keys.incrementAndGet();
					sizes.merge(row.getObject("scope_key", UUID.class), row.getLong("size"), Long::sum);
				});
		return keys.get() < maxKeys;
	}

}
