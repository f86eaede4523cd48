package dev.agentsessions.postgres.lifecycle;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventMarks.EventKind;

/**
 * Examines the newest events of some sessions. It reads errors by an index that has
 * nothing else, and bodies only for the name of a tool. The work is counted in units: an
 * event is one, and so are 500 bytes of a body.
 */
@Component
class ExamineEventsStatement {

	private static final String OF_TOOL = "(kind is null or kind & " + (EventKind.CALLS | EventKind.ANSWERS) + " <> 0)";

	private static final String COLUMNS = "seq, commit_time, author, 1 as units, true as of_tool, null as body";

	private static final String COLUMNS_WITH_BODY = "seq, commit_time, author, case when " + OF_TOOL
			+ " then 1 + size / 500 else 1 end as units, " + OF_TOOL + " as of_tool, body";

	private static final String ERROR = " and kind & " + EventKind.ERROR + " <> 0";

	private static final String EVENTS = """
			select %s from events where session_key = %s and seq >= %s and seq <= %s%s order by seq desc limit ?
			""";

	private static final String OF_SESSIONS = """
			unnest(?::uuid[], ?::int8[], ?::int8[]) with ordinality as wanted (session_key, from_seq, up_to_seq, number)
			cross join lateral (%s) as event
			""".formatted(EVENTS.formatted("%s", "wanted.session_key", "wanted.from_seq", "wanted.up_to_seq", "%s"));

	/** One machine of Citus executes it. */
	private static final String OF_SESSION = "(select 1 as number, newest.* from (%s) as newest) as event"
		.formatted(EVENTS.formatted("%s", "?", "?", "?", "%s"));

	/**
	 * {@code before} is the work of the events before. A sender may escape any character,
	 * so a body with an escape may have the name as well.
	 */
	private static final String SQL = """
			select number, min(seq) as lowest, count(*) as events, sum(units) as units,
			  array_agg(seq order by seq desc) filter (where of_tool %s) as found
			from (
			  select number, seq, commit_time, author, units, of_tool, body,
			    sum(units) over (order by number, seq desc rows unbounded preceding) - units as before
			  from %s) as event
			where before < ? group by number order by number
			""";

	private static final String FROM = " and commit_time >= ?";

	private static final String UNTIL = " and commit_time <= ?";

	private static final String AUTHOR = " and author = ?";

	private static final String TOOL = " and (strpos(body::text, ?) > 0"
			+ " or strpos(body::text, ?) > 0 and body::text ~ ?)";

	/** A name that is escaped by its code points only. */
	private static final Pattern PLAIN = Pattern.compile("[\\w.-]+");

	private static final String BODY = "select body from events where session_key = ? and seq = ? and size <= ?";

	private final JdbcTemplate jdbc;

	ExamineEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Examines events of several sessions, as far as the work allows. Sessions without
	 * such an event have no row.
	 * @param limit the maximum number of events of each session
	 */
	List<Row> execute(List<ExaminedSession> sessions, EventCondition condition, int limit, long units) {
		String events = ((sessions.size() == 1) ? OF_SESSION : OF_SESSIONS)
			.formatted((condition.tool() != null) ? COLUMNS_WITH_BODY : COLUMNS, condition.error() ? ERROR : "");
		Map<String, List<Object>> conditions = conditions(condition);
		return this.jdbc.query(SQL.formatted(String.join("", conditions.keySet()), events), (statement) -> {
			StatementParameters parameters = new StatementParameters(statement);
			for (List<Object> values : conditions.values()) {
				parameters.addAll(values.toArray());
			}
			add(parameters, sessions, condition, limit).addAll(limit, units);
		}, (row, number) -> Row.of(row));
	}

	private static StatementParameters add(StatementParameters parameters, List<ExaminedSession> sessions,
			EventCondition condition, int limit) throws SQLException {
		if (sessions.size() == 1) {
			ExaminedSession session = sessions.get(0);
			return parameters.addAll(session.candidate().sessionKey(), first(session, condition, limit),
					session.upToSeq());
		}
		return parameters.add("uuid", sessions.stream().map((session) -> session.candidate().sessionKey()).toArray())
			.add("int8", sessions.stream().map((session) -> first(session, condition, limit)).toArray())
			.add("int8", sessions.stream().map(ExaminedSession::upToSeq).toArray());
	}

	/** Reads the body of an event, unless it is larger than a number of bytes. */
	Optional<JsonText> body(UUID sessionKey, long seq, long maxBytes) {
		return DataAccessUtils.optionalResult(
				this.jdbc.query(BODY, (row, number) -> new JsonText(row.getString("body")), sessionKey, seq, maxBytes));
	}

	/**
	 * Seqs have no gaps, so the limit is also one of seqs. It keeps PostgreSQL from
	 * reading a whole session to sort it. Errors have gaps.
	 */
	private static long first(ExaminedSession session, EventCondition condition, int limit) {
		return condition.error() ? 1 : session.upToSeq() - limit + 1;
	}

	/** Returns the conditions that an event has to meet, each with its parameters. */
	private static Map<String, List<Object>> conditions(EventCondition condition) {
		Map<String, List<Object>> conditions = new LinkedHashMap<>();
		if (condition.from() != null) {
			conditions.put(FROM, List.of(condition.from()));
		}
		if (condition.until() != null) {
			conditions.put(UNTIL, List.of(condition.until()));
		}
		if (condition.author() != null) {
			conditions.put(AUTHOR, List.of(condition.author()));
		}
		if (condition.tool() != null) {
			boolean plain = PLAIN.matcher(condition.tool()).matches();
			conditions.put(TOOL, List.of(JsonStrings.quote(condition.tool()), plain ? "\\u00" : "\\",
					plain ? "\\\\u00[2-7]" : "\\\\"));
		}
		return conditions;
	}

	/**
	 * The examined events of a session.
	 *
	 * @param number the number of the session in the statement, from 1
	 * @param lowest the oldest event examined
	 * @param events the number of events examined
	 * @param units the work
	 * @param found the events that may meet the condition, the newest first
	 */
	record Row(int number, long lowest, int events, long units, List<Long> found) {

		private static Row of(ResultSet row) throws SQLException {
			return new Row(row.getInt("number"), row.getLong("lowest"), row.getInt("events"), row.getLong("units"),
					seqs(row.getArray("found")));
		}

		private static List<Long> seqs(@Nullable Array found) throws SQLException {
			return (found != null) ? List.of((Long[]) found.getArray()) : List.of();
		}

	}

}
