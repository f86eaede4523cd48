package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventQuery;

/** Reads events of one session by seq, as many as a bounded amount of memory can hold. */
@Component
class EventsStatement {

	/**
	 * About so many characters of events are read at once; a single event may have more.
	 * A client that is slow to read them keeps them in memory, and there may be hundreds.
	 */
	static final int PIECE = 1 << 18;

	/** So many events at most make a piece, however small they are. */
	static final int EVENTS_OF_PIECE = 1000;

	private static final String SQL = EventPageCollector.OF_LIVE_SESSION + """
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

	private static final String OLDEST_FIRST = SQL.formatted("asc");

	private static final String NEWEST_FIRST = SQL.formatted("desc");

	private final JdbcTemplate jdbc;

	EventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads events in the order the query asks for.
	 * @param size at most about so many characters, but one event if there is one
	 * @param large an event of this size and larger is withheld, and only its size told
	 * @return the events, as far as they are not withheld
	 */
	EventPageCollector execute(UUID sessionKey, EventQuery query, int size, long large) {
		EventPageCollector rows = new EventPageCollector(query.limit());
		this.jdbc.query(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST,
				(statement) -> new Parameters(statement).add(large)
					.add(sessionKey)
					.add(query.createTime())
					.add(sessionKey)
					.add(query.afterSeq())
					.add(query.beforeSeq())
					.add(query.since())
					.add(query.since())
					.add(query.author())
					.add(query.author())
					.add(query.invocationId())
					.add(query.invocationId())
					.add(query.limit() + 1L)
					.add(size),
				rows);
		return rows;
	}

	/**
	 * How many events the next piece is likely to have. What a statement reads beyond the
	 * size of a piece would be read in vain.
	 */
	static int likelyToFit(List<Event> piece) {
		long characters = piece.stream().mapToLong((event) -> event.body().text().length()).sum();
		return (int) Math.max(1, Math.min(EVENTS_OF_PIECE, piece.size() * (long) PIECE / characters));
	}

}
