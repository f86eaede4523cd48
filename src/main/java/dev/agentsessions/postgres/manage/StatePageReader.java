package dev.agentsessions.postgres.manage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.state.StateByScope;
import dev.agentsessions.postgres.state.StateRepository;

/**
 * The state of the sessions of a list. It is read while the caller goes through the list,
 * as many scopes at once as a bounded amount of memory can hold.
 */
final class StatePageReader {

	/** Maximum number of scopes in a batch. */
	private static final int MAX_BATCH_SCOPES = 3 * SessionPageReader.MAX_BATCH_SESSIONS;

	/** About the size of a batch in bytes; a single scope may have more. */
	private static final int MAX_BATCH_BYTES = 1 << 22;

	/**
	 * Reads the scopes of a batch. A scope that alone is larger than a batch is deferred:
	 * only its size is read.
	 */
	private static final String SQL = """
			select number, last_number, scope_key, key, case when size < ? then value end as value, size from (
			  select number, max(number) over () as last_number, wanted.scope_key, key, value,
			    sum(size) over (partition by number) as size,
			    sum(size) over (order by number) - sum(size) over (partition by number) as before
			  from unnest(?::uuid[]) with ordinality as wanted (scope_key, number) cross join lateral (
			    select key, value,
			""" + StateRepository.SIZE + """
			     as size
			    from state where state.scope_key = wanted.scope_key offset 0) as own) as measured
			where before < ? order by number, key
			""";

	/**
	 * The sizes of all scopes, and then the rows: on Citus, all machines execute these
	 * two statements in parallel.
	 */
	private static final String SIZES = """
			select scope_key, sum(
			""" + StateRepository.SIZE + """
			) as size from state where scope_key = any (?) group by scope_key
			""";

	private static final String ROWS = "select scope_key, key, value from state where scope_key = any (?)"
			+ " order by scope_key, key";

	private final JdbcTemplate jdbc;

	private final boolean distributed;

	private final boolean bounded;

	private final StateByScope found = new StateByScope();

	/** The scopes that were not read yet, in the order of the list. */
	private final Set<UUID> unread;

	StatePageReader(JdbcTemplate jdbc, boolean distributed, boolean bounded, List<SessionEntity> sessions) {
		this.jdbc = jdbc;
		this.distributed = distributed;
		this.bounded = bounded;
		this.unread = sessions.stream()
			.flatMap((session) -> session.scopes().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/**
	 * Returns the state that an agent sees in a session. Call it in the order of the
	 * list.
	 */
	Map<String, JsonText> merged(SessionEntity session) {
		while (this.unread.contains(session.sessionKey())) {
			readBatch();
		}
		return this.found.merged(session.scopes());
	}

	private void readBatch() {
		List<UUID> wanted = this.unread.stream().limit(MAX_BATCH_SCOPES).toList();
		if (!readBatch(wanted, MAX_BATCH_BYTES)) {
			if (this.bounded) {
				throw new SessionPageReader.TooLargeException();
			}
			readBatch(wanted.subList(0, 1), Long.MAX_VALUE);
		}
	}

	/**
	 * Returns whether any scope was read; {@code false} if the first one was deferred.
	 */
	private boolean readBatch(List<UUID> wanted, long deferFrom) {
		int scopesRead = this.distributed ? readInTwoSteps(wanted, deferFrom)
				: this.jdbc.query(SQL,
						(statement) -> new StatementParameters(statement).add(deferFrom)
							.add("uuid", wanted.toArray())
							.add(MAX_BATCH_BYTES),
						(ResultSetExtractor<Integer>) (rows) -> add(rows, wanted.size()));
		wanted.subList(0, scopesRead).forEach(this.unread::remove);
		return scopesRead > 0;
	}

	private int readInTwoSteps(List<UUID> wanted, long deferFrom) {
		Map<UUID, Long> sizes = new HashMap<>();
		this.jdbc.query(SIZES, (statement) -> new StatementParameters(statement).add("uuid", wanted.toArray()),
				(row) -> {
					sizes.put(row.getObject("scope_key", UUID.class), row.getLong("size"));
				});
		int scopesRead = 0;
		long before = 0;
		while (scopesRead < wanted.size() && before < MAX_BATCH_BYTES
				&& sizes.getOrDefault(wanted.get(scopesRead), 0L) < deferFrom) {
			before += sizes.getOrDefault(wanted.get(scopesRead++), 0L);
		}
		Object[] fitting = wanted.subList(0, scopesRead).toArray();
		this.jdbc.query(ROWS, (statement) -> new StatementParameters(statement).add("uuid", fitting), (row) -> {
			this.found.add(row.getObject("scope_key", UUID.class), row.getString("key"),
					new JsonText(row.getString("value")));
		});
		return scopesRead;
	}

	/** Adds the rows, and returns how many of the scopes were read. */
	private int add(ResultSet rows, int wanted) throws SQLException {
		int scopesRead = wanted;
		while (rows.next()) {
			int number = rows.getInt("number");
			String value = rows.getString("value");
			if (value == null) {
				return number - 1;
			}
			this.found.add(rows.getObject("scope_key", UUID.class), rows.getString("key"), new JsonText(value));
			scopesRead = (number < rows.getInt("last_number")) ? number : wanted;
		}
		return scopesRead;
	}

}
