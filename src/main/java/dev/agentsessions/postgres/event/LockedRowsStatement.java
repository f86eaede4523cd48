package dev.agentsessions.postgres.event;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;

/**
 * Finds out which rows other transactions have locked, by locking the others for a
 * moment. A session that does not exist is not locked. A key of state that does not exist
 * counts as locked, because another transaction may be inserting it.
 */
@Component
public class LockedRowsStatement {

	private static final String SESSIONS = """
			with free as materialized (
			  select session.session_key from unnest(?::uuid[]) as wanted (session_key) cross join lateral (
			    select sessions.session_key from sessions where sessions.session_key = wanted.session_key
			    for update skip locked) as session)
			select existing.session_key from unnest(?::uuid[]) as wanted (session_key) cross join lateral (
			  select sessions.session_key from sessions where sessions.session_key = wanted.session_key) as existing
			where existing.session_key not in (select session_key from free)
			""";

	private static final String STATE = """
			select row.scope_key, row.key from unnest(?::uuid[], ?::text[]) as wanted (scope_key, key)
			cross join lateral (
			  select state.scope_key, state.key from state
			  where state.scope_key = wanted.scope_key and state.key = wanted.key
			  for update skip locked) as row
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	LockedRowsStatement(JdbcTemplate jdbc, Transactions transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/** Returns the rows that another transaction has locked. */
	Set<RowKey> execute(Collection<RowKey> rows) {
		Set<RowKey> locked = new HashSet<>(sessions(rows.stream().filter(RowKey::isSession).toList()));
		locked.addAll(state(rows.stream().filter((row) -> !row.isSession()).toList()));
		return locked;
	}

	private List<RowKey> sessions(List<RowKey> rows) {
		Object[] keys = rows.stream().map(RowKey::scopeKey).toArray();
		return rows.isEmpty() ? rows
				: this.transactions.statement(() -> this.jdbc.query(SESSIONS,
						(statement) -> new StatementParameters(statement).add("uuid", keys).add("uuid", keys),
						(row, number) -> RowKey.ofSession(row.getObject("session_key", UUID.class))));
	}

	private Set<RowKey> state(List<RowKey> rows) {
		Set<RowKey> locked = new HashSet<>(rows);
		if (!rows.isEmpty()) {
			this.transactions
				.statement(() -> this.jdbc.query(STATE,
						(statement) -> new StatementParameters(statement)
							.add("uuid", rows.stream().map(RowKey::scopeKey).toArray())
							.addTexts(rows, RowKey::key),
						(row, number) -> new RowKey(row.getObject("scope_key", UUID.class), row.getString("key"))))
				.forEach(locked::remove);
		}
		return locked;
	}

	/**
	 * A row that writers lock.
	 *
	 * @param scopeKey the key of the session, or of the owner of the state
	 * @param key the key in the state, {@code null} for the row of the session
	 */
	record RowKey(UUID scopeKey, @Nullable String key) {

		static RowKey ofSession(UUID sessionKey) {
			return new RowKey(sessionKey, null);
		}

		boolean isSession() {
			return this.key == null;
		}

	}

}
