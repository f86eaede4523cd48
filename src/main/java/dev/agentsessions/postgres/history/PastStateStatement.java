package dev.agentsessions.postgres.history;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.event.EventKind;

/**
 * Reads the state that a session had after one of its events: its initial state, and for
 * each key the last event that changed it until then. The deltas stand in the bodies of
 * the events. Only bodies of events that change state are read; memory is needed for the
 * keys and for what is found only.
 *
 * <p>
 * The functions of PostgreSQL that take JSON apart fail at texts that it cannot have,
 * such as <code>&#92;u0000</code>, wherever they are. So in what they take apart, the
 * backslash of such an escape is escaped itself, and what they find is changed back.
 */
@Component
class PastStateStatement {

	/** Takes the place of an escaped backslash; no JSON has it outside of an escape. */
	private static final String BACKSLASH = "chr(1)";

	/** No JSON of it has an escaped character by its number any more. */
	private static final String NEUTRAL = "replace(replace(replace(body::text, '\\\\', " + BACKSLASH
			+ "), '\\u', '\\\\u'), " + BACKSLASH + ", '\\\\\\\\')";

	/** The other way round. */
	private static final String PLAIN = "replace(replace(replace(%s, '\\\\\\\\', " + BACKSLASH + "), '\\\\u', '\\u'), "
			+ BACKSLASH + ", '\\\\')";

	/**
	 * A key as it is named: in what was taken apart, its backslashes still are escapes.
	 */
	private static final String NAME = "case when strpos(change.key, '\\') = 0 then change.key else "
			+ PLAIN.formatted("to_json(change.key)::text") + "::json #>> '{}' end";

	/** Events of before there were kinds may change state, too. */
	private static final String CHANGES_STATE = "(kind & " + EventKind.STATE + " <> 0 or kind is null)";

	/** The changes of state in the body of an event, neutral. */
	private static final String CHANGES = """
			lateral (select (%s)::json #> '{actions,stateDelta}' as delta offset 0) as own
			    cross join lateral json_each(case when json_typeof(delta) = 'object' then delta end) as change
			""".formatted(NEUTRAL);

	/**
	 * Keys are sorted and not joined: PostgreSQL cannot know how many there are in a
	 * delta, and would compare each with each.
	 */
	private static final String SQL = """
			with place as materialized (
			  select distinct max(seq) as seq from events cross join %1$s
			  where session_key = ? and seq <= ? and %4$s group by change.key),
			found as (
			  select distinct on (key) key, seq, id, author, time, case when seq > 0 then %3$s else value end as value from (
			    select (%2$s) collate "C" as key, events.seq, id, author, time, change.value::text as value
			    from place join events on session_key = ? and events.seq = place.seq cross join %1$s
			    union all
			    select key, 0, null, null, null, value::text from initial_state where session_key = ?) as every
			  order by key, seq desc)
			select key, seq, id, author, time, case when size < ? then value end as value,
			  case when place = 1 then size else 0 end as size from (
			  select *, sum(length(key) + length(value)) over () as size, row_number() over () as place from found) as measured
			where size < ? or place = 1 order by key
			"""
		.formatted(CHANGES, NAME, PLAIN.formatted("value"), CHANGES_STATE);

	private static final String COMPLETE = """
			with changed as materialized (
			  select distinct %2$s as key from events cross join %1$s
			  where session_key = ? and %3$s)
			insert into initial_state (session_key, key, value)
			select ?, key, value from state where scope_key = ? and value is not null
			  and not exists (select from changed where changed.key = state.key)
			""".formatted(CHANGES, NAME, CHANGES_STATE);

	private final JdbcTemplate jdbc;

	PastStateStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads the state.
	 * @param large from this size on the values are withheld, and only their size told
	 */
	PastStateRows execute(UUID sessionKey, long seq, long large) {
		PastStateRows rows = new PastStateRows();
		this.jdbc.query(SQL,
				(statement) -> new StatementParameters(statement).add(sessionKey)
					.add(Long.valueOf(seq))
					.add(sessionKey)
					.add(sessionKey)
					.add(Long.valueOf(large))
					.add(Long.valueOf(large)),
				rows);
		return rows;
	}

	/**
	 * Takes what no event has ever set for the initial state of a session, within a
	 * transaction that stores one whose beginning nobody has told.
	 */
	void completeInitialState(UUID sessionKey) {
		this.jdbc.update(COMPLETE, sessionKey, sessionKey, sessionKey);
	}

}
