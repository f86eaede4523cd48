package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.lifecycle.PastSession.StateSource;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/**
 * Reads the state that a session had after one of its events: its initial state, and for
 * each key the last event up to then that changed it. The deltas are in the bodies of the
 * events. It reads only bodies of events that change state. It needs memory for the keys
 * and for the result only.
 */
@Component
class PastStateStatement {

	/**
	 * The name of a key; in {@code change.key} its backslashes are still escaped.
	 */
	private static final String NAME = "case when strpos(change.key, '\\') = 0 then change.key else "
			+ Sql.plain("to_json(change.key)::text") + "::json #>> '{}' end";

	/** An event that an older version stored without a kind may change state. */
	private static final String CHANGES_STATE = "(kind & " + EventKind.STATE + " <> 0 or kind is null)";

	/** The state delta of an event, still escaped as in {@link Sql#NEUTRAL_BODY}. */
	private static final String CHANGES = """
			lateral (select (%s)::json #> '{actions,stateDelta}' as delta offset 0) as own
			    cross join lateral json_each(case when json_typeof(delta) = 'object' then delta end) as change
			""".formatted(Sql.NEUTRAL_BODY);

	/**
	 * Sorts keys instead of joining by them: PostgreSQL cannot estimate the number of
	 * keys in a delta, and would compare each with each.
	 */
	private static final String SQL = """
			with last_change as materialized (
			  select distinct max(seq) as seq from events cross join %1$s
			  where session_key = ? and seq <= ? and %4$s group by change.key),
			found as (
			  select distinct on (key) key, seq, id, author, time, case when seq > 0 then %3$s else value end as value from (
			    select (%2$s) collate "C" as key, events.seq, id, author, time, change.value::text as value
			    from last_change join events on session_key = ? and events.seq = last_change.seq cross join %1$s
			    union all
			    select key, 0, null, null, null, value::text from initial_state where session_key = ?) as every
			  order by key, seq desc)
			select key, seq, id, author, time, case when size < ? then value end as value,
			  case when number = 1 then size else 0 end as size from (
			  select *, sum(length(key) + length(value)) over () as size, row_number() over () as number from found) as measured
			where size < ? or number = 1 order by key
			"""
		.formatted(CHANGES, NAME, Sql.plain("value"), CHANGES_STATE);

	private final JdbcTemplate jdbc;

	PastStateStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads the state after an event.
	 * @param seq the seq of the event; 0 for the initial state
	 * @param deferFrom a state of this size and larger is deferred: only its size is read
	 */
	PastStateRows execute(UUID sessionKey, long seq, long deferFrom) {
		PastStateRows rows = new PastStateRows();
		this.jdbc.query(SQL, rows, sessionKey, seq, sessionKey, sessionKey, deferFrom, deferFrom);
		return rows;
	}

	/**
	 * The rows of {@link PastStateStatement}: the value of each key, and the event that
	 * set it.
	 */
	static final class PastStateRows extends HeapBoundedReads.Rows {

		private final Map<String, JsonText> state = new LinkedHashMap<>();

		private final Map<String, StateSource> sources = new LinkedHashMap<>();

		@Override
		public void processRow(ResultSet row) throws SQLException {
			String value = row.getString("value");
			count(row, value == null);
			if (value != null && !RemovalMarker.is(new JsonText(value))) {
				this.state.put(row.getString("key"), new JsonText(value));
				addSource(row);
			}
		}

		private void addSource(ResultSet row) throws SQLException {
			long seq = row.getLong("seq");
			if (seq > 0) {
				this.sources.put(row.getString("key"),
						new StateSource(seq, row.getString("id"), row.getString("author"), Columns.time(row, "time")));
			}
		}

		/** Returns the state, keys with prefixes, sorted by key. */
		Map<String, JsonText> state() {
			return this.state;
		}

		/** Returns the event that set each key; keys of the initial state have none. */
		Map<String, StateSource> sources() {
			return this.sources;
		}

	}

}
