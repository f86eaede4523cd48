package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.TimelineQuery;
import dev.agentsessions.session.TimelineQuery.Position;

/**
 * Lists the events of a session by the time their senders gave them. There is no index
 * for it: the primary key finds the events of the session, and only those of the page are
 * read whole.
 */
@Component
class EventsByTimeStatement {

	private static final Position FIRST = new Position(Instant.parse("-0001-01-01T00:00:00Z"), 0);

	private static final Position LAST = new Position(Instant.parse("9999-12-31T23:59:59.999999Z"), Long.MAX_VALUE);

	private static final String SQL = EventPageCollector.OF_LIVE_SESSION
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

	private static final String OLDEST_FIRST = SQL.formatted("asc", ">");

	private static final String NEWEST_FIRST = SQL.formatted("desc", "<");

	private final JdbcTemplate jdbc;

	EventsByTimeStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads events in the order the query asks for.
	 * @param size at most about so many characters, but one event if there is one
	 * @param large an event of this size and larger is withheld, and only its size told
	 * @return the events, as far as they are not withheld
	 */
	EventPageCollector execute(UUID sessionKey, TimelineQuery query, int size, long large) {
		Position behind = behind(query.behind(), query.newestFirst());
		EventPageCollector rows = new EventPageCollector(query.limit());
		this.jdbc.query(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST,
				(statement) -> new Parameters(statement).add(large)
					.add(sessionKey)
					.add(query.createTime())
					.add(sessionKey)
					.add(behind.time())
					.add(behind.seq())
					.add(query.from())
					.add(query.from())
					.add(query.until())
					.add(query.until())
					.add(query.limit() + 1L)
					.add(size),
				rows);
		return rows;
	}

	private static Position behind(@Nullable Position behind, boolean newestFirst) {
		if (behind != null) {
			return behind;
		}
		return newestFirst ? LAST : FIRST;
	}

}
