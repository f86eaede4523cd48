package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;

/**
 * The own state that sessions were created with, a row for each key, written once.
 * Nothing but questions about the past reads it, and it goes with the row of the session.
 */
@Component
class InitialStates {

	private static final String INSERT = """
			insert into initial_state (session_key, key, value)
			select ?, key, value::json from unnest(?::text[], ?::text[]) as added (key, value)
			""";

	/** One row at least, if the session is there. */
	private static final String FIND = """
			select kept, key, case when size < ? then value end as value, case when place = 1 then size else 0 end as size
			from (
			  select initial_state_kept as kept, key, value, coalesce(sum(
			"""
			+ StateRepository.SIZE + """
					  ) over (), 0) as size, row_number() over () as place
					  from sessions left join initial_state using (session_key)
					  where session_key = ? and create_time = ?) as own
					where size < ? or place = 1 order by key
					""";

	private final JdbcTemplate jdbc;

	InitialStates(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Keeps keys, within a transaction that has created the session. */
	void insert(UUID sessionKey, Map<String, JsonText> state) {
		if (!state.isEmpty()) {
			this.jdbc.update(INSERT,
					(statement) -> new Parameters(statement).add(sessionKey)
						.addTexts(List.copyOf(state.keySet()), (key) -> key)
						.addTexts(List.copyOf(state.values()), JsonText::text));
		}
	}

	/**
	 * Reads what there is of the session that was created at a time.
	 * @param large from this size on the values are withheld, and only their size told
	 */
	InitialStateRows find(UUID sessionKey, Instant createTime, long large) {
		InitialStateRows rows = new InitialStateRows();
		this.jdbc.query(FIND,
				(statement) -> new Parameters(statement).add(Long.valueOf(large))
					.add(sessionKey)
					.add(createTime)
					.add(Long.valueOf(large)),
				rows);
		return rows;
	}

}
