package dev.agentsessions.postgres.state;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.SessionException;

/**
 * The state of their own that sessions were created with: a row for each key, written
 * once. Only time travel, exports and forks read it. It is deleted with the session.
 */
@Component
public class InitialStateStatements {

	/**
	 * Copies keys that no event has set: their current values are their initial values.
	 */
	private static final String COPY = """
			insert into initial_state (session_key, key, value)
			select scope_key, key, value from state where scope_key = ? and key = any (?)
			""";

	/** Returns one row at least if the session exists. */
	private static final String FIND = """
			select key, case when size < ? then value end as value, case when number = 1 then size else 0 end as size
			from (
			  select key, value, coalesce(sum(
			""" + StateRepository.SIZE + """
			  ) over (), 0) as size, row_number() over () as number
			  from sessions left join initial_state using (session_key)
			  where session_key = ?) as own
			where size < ? or number = 1 order by key
			""";

	private final JdbcTemplate jdbc;

	private final StateSizeLimit limit;

	private final StateWriter writer;

	InitialStateStatements(JdbcTemplate jdbc, StateSizeLimit limit, StateWriter writer) {
		this.jdbc = jdbc;
		this.writer = writer;
		this.limit = limit;
	}

	/**
	 * Adds keys to the initial state of a session that is imported in chunks, within a
	 * transaction of the caller.
	 * @throws SessionException.InvalidArgument if one of them is stored already
	 * @throws SessionException.TooLarge if the initial state is too large with them
	 */
	public void add(UUID sessionKey, Map<String, JsonText> more) {
		try {
			this.writer.insertInitial(sessionKey, more);
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.InvalidArgument("initialState", "must have each key once");
		}
		if (!more.isEmpty()) {
			this.limit.checkInitial(sessionKey);
		}
	}

	/** Stores keys with the values that they have in the state of the session. */
	public void copyFromState(UUID sessionKey, Collection<String> keys) {
		if (!keys.isEmpty()) {
			this.jdbc.update(COPY, (statement) -> new StatementParameters(statement).add(sessionKey)
				.addTexts(List.copyOf(keys), (key) -> key));
		}
	}

	/**
	 * Reads the initial state of a session.
	 * @param deferFrom a state of this size and larger is deferred: only its size is read
	 */
	public InitialStateRows find(UUID sessionKey, long deferFrom) {
		InitialStateRows rows = new InitialStateRows();
		this.jdbc.query(FIND, rows, deferFrom, sessionKey, deferFrom);
		return rows;
	}

	/** The rows of the initial state of a session: one at least if the session exists. */
	public static final class InitialStateRows extends HeapBoundedReads.Rows {

		private final Map<String, JsonText> state = new LinkedHashMap<>();

		private boolean found;

		@Override
		public void processRow(ResultSet row) throws SQLException {
			this.found = true;
			String key = row.getString("key");
			String value = row.getString("value");
			count(row, key != null && value == null);
			if (key != null && value != null) {
				this.state.put(key, new JsonText(value));
			}
		}

		/**
		 * Returns the values that are not deferred.
		 * @throws SessionException.NotFound if there is no session
		 */
		public Map<String, JsonText> state() {
			if (!this.found) {
				throw new SessionException.NotFound();
			}
			return this.state;
		}

	}

}
