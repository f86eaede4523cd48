package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.state.Scopes.StateByScope;
import dev.agentsessions.postgres.state.StateRepository;

/** Reads the state of many scopes, as far as it fits into memory. */
public interface ScopesStatement {

	/**
	 * Reads scopes in their order, as many as fit. A scope that alone does not fit is not
	 * read, and none after it.
	 * @param maxBytes about what is read; the last scope may exceed it
	 * @param maxKeys the maximum number of keys that are read or measured
	 * @return how many of the scopes were read
	 */
	int read(List<UUID> scopes, long maxBytes, long maxKeys, StateByScope found);

	/** Measures and reads the scopes in one statement. */
	@Component
	@OnOneMachine
	class JointScopes implements ScopesStatement {

		/**
		 * Reads the scopes of a batch. It goes through them in their order and stops at
		 * the maximum number of keys, so the sort of all scopes that it does without the
		 * limit is never done. Of a scope that the limit has cut, or that alone is larger
		 * than a batch, it returns keys without values.
		 */
		private static final String SQL = """
				select number, last_number, scope_key, key,
				  case when size < ? and (number < last_number or keys < ?) then value end as value
				from (
				  select number, scope_key, key, value, max(number) over () as last_number, count(*) over () as keys,
				    sum(size) over (partition by number) as size,
				    sum(size) over (order by number) - sum(size) over (partition by number) as before
				  from (
				    select number, wanted.scope_key, key, value, size
				    from unnest(?::uuid[]) with ordinality as wanted (scope_key, number) cross join lateral (
				      select key, value,
				""" + StateRepository.SIZE + """
				       as size
				      from state where state.scope_key = wanted.scope_key offset 0) as own
				    order by number limit ?) as first) as measured
				where before < ? order by number, key
				""";

		private final JdbcTemplate jdbc;

		JointScopes(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public int read(List<UUID> scopes, long maxBytes, long maxKeys, StateByScope found) {
			return this.jdbc.query(SQL,
					(statement) -> new StatementParameters(statement).addAll(maxBytes, maxKeys)
						.add("uuid", scopes.toArray())
						.addAll(maxKeys, maxBytes),
					(ResultSetExtractor<Integer>) (rows) -> add(rows, scopes.size(), found));
		}

		/** Adds the rows, and returns how many of the scopes were read. */
		private static int add(ResultSet rows, int wanted, StateByScope found) throws SQLException {
			int scopesRead = wanted;
			while (rows.next()) {
				int number = rows.getInt("number");
				String value = rows.getString("value");
				if (value == null) {
					return number - 1;
				}
				found.add(rows.getObject("scope_key", UUID.class), rows.getString("key"), new JsonText(value));
				scopesRead = (number < rows.getInt("last_number")) ? number : wanted;
			}
			return scopesRead;
		}

	}

}
