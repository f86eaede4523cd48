package dev.agentsessions.postgres.event;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.event.TimelineQuery.EventPlace;

/**
 * Lists the events of a session that is there, as many as a bounded amount of memory can
 * hold. By seq they are found along the primary key. For the time that their senders gave
 * them there is no index: the primary key finds the events of the session, and only those
 * of the page are read whole.
 */
@Component
public class ListEventsStatement {

	/**
	 * About so many characters of events are read at once; a single event may have more.
	 * A client that is slow to read them keeps them in memory, and there may be hundreds.
	 */
	public static final int PIECE = 1 << 18;

	/** So many events at most make a piece, however small they are. */
	public static final int EVENTS_OF_PIECE = 1000;

	private static final EventPlace FIRST = new EventPlace(Instant.parse("-0001-01-01T00:00:00Z"), 0);

	private static final EventPlace LAST = new EventPlace(Instant.parse("9999-12-31T23:59:59.999999Z"), Long.MAX_VALUE);

	/**
	 * Begins with the size from which on events are withheld, and the key of a session.
	 */
	public static final String OF_LIVE_SESSION = """
			select session_key, seq, commit_time, id, case when size < ? then body end as body, size, more from (
			  select session_key from sessions
			  where session_key = ? and %s) as live
			""".formatted(Sql.LIVE);

	private static final String BY_SEQ = OF_LIVE_SESSION + """
			left join (
			  select seq, commit_time, id, body, size, sum(size) over (order by seq %1$s) - size as before,
			    lead(seq) over (order by seq %1$s) is not null as more
			  from events
			  where session_key = ? and seq > ? and seq < ?
			    and (?::timestamptz is null or time >= ?)
			    and (?::text is null or author = ?)
			    and (?::text is null or invocation_id = ?)
			  order by seq %1$s limit ?) as piece on before < ? order by seq %1$s
			""";

	private static final String BY_TIME = OF_LIVE_SESSION
			+ """
					left join (
					  select time, seq, commit_time, id, body, size, sum(size) over (order by time %1$s, seq %1$s) - size as before,
					    lead(seq) over (order by time %1$s, seq %1$s) is not null as more
					  from events
					  where session_key = ? and (time, seq) %2$s (?, ?)
					    and (?::timestamptz is null or time >= ?)
					    and (?::timestamptz is null or time <= ?)
					  order by time %1$s, seq %1$s limit ?) as piece on before < ? order by time %1$s, seq %1$s
					""";

	private static final String OLDEST_FIRST = BY_SEQ.formatted("asc");

	private static final String NEWEST_FIRST = BY_SEQ.formatted("desc");

	private static final String OLDEST_TIME_FIRST = BY_TIME.formatted("asc", ">");

	private static final String NEWEST_TIME_FIRST = BY_TIME.formatted("desc", "<");

	private final JdbcTemplate jdbc;

	ListEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads events in the order of their seqs.
	 * @param size at most about so many characters, but one event if there is one
	 * @param large an event of this size and larger is withheld, and only its size told
	 */
	public EventPageRows execute(UUID sessionKey, EventQuery query, int size, long large) {
		return execute(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST, query.limit(),
				(statement) -> ofLiveSession(statement, large, sessionKey).add(query.afterSeq())
					.add(query.beforeSeq())
					.addTwice(query.since())
					.addTwice(query.author())
					.addTwice(query.invocationId())
					.add(query.limit() + 1L)
					.add(size));
	}

	/**
	 * Reads events in the order of their own times.
	 * @param size at most about so many characters, but one event if there is one
	 * @param large an event of this size and larger is withheld, and only its size told
	 */
	public EventPageRows execute(UUID sessionKey, TimelineQuery query, int size, long large) {
		EventPlace first = query.newestFirst() ? LAST : FIRST;
		EventPlace behind = (query.behind() != null) ? query.behind() : first;
		return execute(query.newestFirst() ? NEWEST_TIME_FIRST : OLDEST_TIME_FIRST, query.limit(),
				(statement) -> ofLiveSession(statement, large, sessionKey).add(behind.time())
					.add(behind.seq())
					.addTwice(query.from())
					.addTwice(query.until())
					.add(query.limit() + 1L)
					.add(size));
	}

	private EventPageRows execute(String sql, int limit, PreparedStatementSetter parameters) {
		EventPageRows rows = new EventPageRows(limit);
		this.jdbc.query(sql, parameters, rows);
		return rows;
	}

	private static StatementParameters ofLiveSession(PreparedStatement statement, long large, UUID sessionKey)
			throws SQLException {
		return new StatementParameters(statement).add(large).add(sessionKey).add(sessionKey);
	}

	/**
	 * How many events the next piece is likely to have. What a statement reads beyond the
	 * size of a piece would be read in vain.
	 */
	public static int likelyToFit(List<Event> piece) {
		long characters = piece.stream().mapToLong((event) -> event.body().text().length()).sum();
		return (int) Math.max(1, Math.min(EVENTS_OF_PIECE, piece.size() * (long) PIECE / characters));
	}

}
