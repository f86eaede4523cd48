package dev.agentsessions.postgres.state;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;

/**
 * The own state that sessions were created with, a row for each key, written once.
 * Nothing but questions about the past reads it, and it goes with the row of the session.
 */
@Component
public class InitialStateStatements {

	private static final String INSERT = """
			insert into initial_state (session_key, key, value)
			select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value)
			""";

	/**
	 * Where the tables are distributed, by a statement for each key: Citus executes what
	 * it inserts of a query in another way, whose failures do not tell that a key is
	 * there.
	 */
	private static final String INSERT_ONE = "insert into initial_state (session_key, key, value) values (?, ?, ?::json)";

	private static final int PIECE = 500;

	private static final String SIZE_OF_ALL = """
			select coalesce(sum(octet_length(key) + octet_length(value::text)), 0) from initial_state where session_key = ?
			""";

	/** Keys that no event has set have the values that the session has now. */
	private static final String COPY = """
			insert into initial_state (session_key, key, value)
			select scope_key, key, value from state where scope_key = ? and key = any (?)
			""";

	/** One row at least, if the session is there. */
	private static final String FIND = """
			select key, case when size < ? then value end as value, case when place = 1 then size else 0 end as size
			from (
			  select key, value, coalesce(sum(
			""" + StateRepository.SIZE + """
			  ) over (), 0) as size, row_number() over () as place
			  from sessions left join initial_state using (session_key)
			  where session_key = ?) as own
			where size < ? or place = 1 order by key
			""";

	private final JdbcTemplate jdbc;

	private final long limit;

	private final boolean distributed;

	InitialStateStatements(JdbcTemplate jdbc, LimitProperties limits, DistributionProperties properties) {
		this.jdbc = jdbc;
		this.distributed = properties.distributed();
		this.limit = limits.stateSize().toBytes();
	}

	/** Keeps keys, within a transaction that has created the session. */
	public void insert(UUID sessionKey, Map<String, JsonText> state) {
		if (this.distributed) {
			this.jdbc.batchUpdate(INSERT_ONE, state.entrySet(), PIECE,
					(statement, entry) -> new StatementParameters(statement).add(sessionKey)
						.add(entry.getKey())
						.add(entry.getValue().text()));
		}
		else if (!state.isEmpty()) {
			this.jdbc.update(INSERT,
					(statement) -> new StatementParameters(statement).add(sessionKey)
						.addTexts(List.copyOf(state.keySet()), (key) -> key)
						.addTexts(List.copyOf(state.values()), JsonText::text));
		}
	}

	/**
	 * Keeps further keys of a session that comes in pieces, within a transaction that has
	 * its row.
	 * @throws SessionException.InvalidArgument if one of them is there already
	 * @throws SessionException.TooLarge if there is more now than a state may have
	 */
	public void add(UUID sessionKey, Map<String, JsonText> more) {
		try {
			insert(sessionKey, more);
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.InvalidArgument("initialState", "must have each key once");
		}
		if (!more.isEmpty()) {
			check(sessionKey);
		}
	}

	private void check(UUID sessionKey) {
		Long size = this.jdbc.queryForObject(SIZE_OF_ALL, Long.class, sessionKey);
		if (size != null && size > this.limit) {
			throw new SessionException.TooLarge("The initial state of the session", this.limit, "bytes",
					"agent-sessions.limits.state-size");
		}
	}

	/** Keeps keys with the values that they have in the state of the session. */
	public void copyFromState(UUID sessionKey, Collection<String> keys) {
		if (!keys.isEmpty()) {
			this.jdbc.update(COPY, (statement) -> new StatementParameters(statement).add(sessionKey)
				.addTexts(List.copyOf(keys), (key) -> key));
		}
	}

	/**
	 * Reads the initial state of a session.
	 * @param large from this size on the values are withheld, and only their size told
	 */
	public InitialStateRows find(UUID sessionKey, long large) {
		InitialStateRows rows = new InitialStateRows();
		this.jdbc.query(FIND,
				(statement) -> new StatementParameters(statement).add(Long.valueOf(large))
					.add(sessionKey)
					.add(Long.valueOf(large)),
				rows);
		return rows;
	}

}
