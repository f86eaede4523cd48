package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.EventEntity.EventRows;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventQuery.TimelineQuery.EventPosition;

/**
 * Lists events of a session, as many as a bounded amount of memory can hold. By seq it
 * follows the primary key. For the time that the senders gave the events there is no
 * index: the primary key finds the events of the session, and the bodies of the page only
 * are read.
 */
@Component
public class ListEventsStatement {

	/**
	 * About how many characters of events are read at once; a single event may have more.
	 * Chunks for slow clients stay in memory, and there may be hundreds of such clients.
	 */
	public static final int MAX_CHUNK_CHARS = 1 << 18;

	/** Maximum number of events in a chunk. */
	public static final int MAX_CHUNK_EVENTS = 1000;

	private static final Instant FIRST = Instant.parse("-0001-01-01T00:00:00Z");

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

	private static final String OF_SESSION = """
			select session_key, seq, commit_time, id, case when size < ? then body end as body, size, more from (
			  select session_key from sessions
			  where session_key = ? and %s) as live
			""";

	/**
	 * The begin of a statement that returns no row if the session does not exist, and one
	 * at least if it does. Its parameters are the size from which on bodies are deferred,
	 * and the key of the session.
	 */
	public static final String OF_LIVE_SESSION = OF_SESSION.formatted(Sql.LIVE);

	/**
	 * The same, but no row either if the session has more events than a third parameter.
	 */
	private static final String OF_SHORT_SESSION = OF_SESSION.formatted(Sql.LIVE + " and revision <= ?");

	private static final String BY_SEQ = OF_LIVE_SESSION + """
			left join (
			  select seq, commit_time, id, body, size, sum(size) over (order by seq %1$s) - size as before,
			    lead(seq) over (order by seq %1$s) is not null as more
			  from events
			  where session_key = ? and seq > ? and seq < ?
			  %2$s
			  order by seq %1$s limit ?) as chunk on before < ?
			where %3$s order by seq %1$s
			""";

	private static final String BY_TIME = OF_SHORT_SESSION
			+ """
					left join (
					  select time, seq, commit_time, id, body, size, sum(size) over (order by time %1$s, seq %1$s) - size as before,
					    lead(seq) over (order by time %1$s, seq %1$s) is not null as more
					  from events
					  where session_key = ? and (time, seq) %2$s (?, ?)
					    and (?::timestamptz is null or time >= ?)
					    and (?::timestamptz is null or time <= ?)
					  order by time %1$s, seq %1$s limit ?) as chunk on before < ?
					where %3$s order by time %1$s, seq %1$s
					""";

	private static final String OLDEST_FIRST = BY_SEQ.formatted("asc", Sql.MATCHES_FILTER, Sql.HAS_POINT);

	private static final String NEWEST_FIRST = BY_SEQ.formatted("desc", Sql.MATCHES_FILTER, Sql.HAS_POINT);

	private static final String OLDEST_TIME_FIRST = BY_TIME.formatted("asc", ">", Sql.HAS_POINT);

	private static final String NEWEST_TIME_FIRST = BY_TIME.formatted("desc", "<", Sql.HAS_POINT);

	private final JdbcTemplate jdbc;

	ListEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads events in the order of their seqs.
	 * @param maxChars at most about this number of characters, but one event at least
	 * @param deferFrom an event of this size and larger is deferred: only its size is
	 * read
	 */
	public EventPageRows execute(UUID sessionKey, EventQuery query, int maxChars, long deferFrom) {
		return execute(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST, query.limit(),
				(statement) -> new StatementParameters(statement)
					.addAll(deferFrom, sessionKey, sessionKey, query.afterSeq(), query.beforeSeq())
					.add(query.filter())
					.addAll(query.limit() + 1L, maxChars)
					.add(sessionKey, query.point()));
	}

	/**
	 * Reads events in the order of their own times. It sorts all events of the session.
	 * @param maxEvents there are no rows if the session has more events than this
	 * @param deferFrom an event of this size and larger is deferred: only its size is
	 * read
	 */
	EventPageRows execute(UUID sessionKey, TimelineQuery query, long maxEvents, long deferFrom) {
		EventPosition after = query.after();
		EventPoint point = (after != null) ? after.event() : null;
		Instant time = (after != null) ? after.time() : query.newestFirst() ? LAST : FIRST;
		long seq = (point != null) ? point.seq() : query.newestFirst() ? Long.MAX_VALUE : 0;
		return execute(query.newestFirst() ? NEWEST_TIME_FIRST : OLDEST_TIME_FIRST, query.limit(),
				(statement) -> new StatementParameters(statement)
					.addAll(deferFrom, sessionKey, maxEvents, sessionKey, time, seq)
					.addTwice(query.from())
					.addTwice(query.until())
					.addAll(query.limit() + 1L, MAX_CHUNK_CHARS)
					.add(sessionKey, point));
	}

	private EventPageRows execute(String sql, int limit, PreparedStatementSetter parameters) {
		EventPageRows rows = new EventPageRows(limit);
		this.jdbc.query(sql, parameters, rows);
		return rows;
	}

	/**
	 * Returns how many events the next chunk is likely to have, from the sizes of the
	 * events of this one. Events that a statement reads beyond the size of a chunk are
	 * read for nothing.
	 */
	public static int likelyToFit(List<Event> chunk) {
		long chars = chunk.stream().mapToLong((event) -> event.body().length()).sum();
		return (int) Math.max(1, Math.min(MAX_CHUNK_EVENTS, chunk.size() * (long) MAX_CHUNK_CHARS / chars));
	}

	/**
	 * The rows of a page of events. A session without events on the page has one row
	 * without an event. All rows have the key of the session.
	 */
	public static final class EventPageRows extends EventRows {

		private final int limit;

		private @Nullable UUID sessionKey;

		private boolean more;

		/**
		 * Creates an empty page.
		 * @param limit the most events of the page; one more shows that more follow
		 */
		public EventPageRows(int limit) {
			this.limit = limit;
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			if (this.sessionKey == null) {
				this.sessionKey = row.getObject("session_key", UUID.class);
			}
			row.getLong("seq");
			if (!row.wasNull()) {
				addEvent(row);
				this.more = row.getBoolean("more");
			}
		}

		/**
		 * Returns the page without deferred events; empty if there is no such session.
		 */
		public Optional<EventPage> page() {
			Page<Event> page = Page.of(events(), this.limit);
			return Optional.ofNullable(this.sessionKey)
				.map((sessionKey) -> new EventPage(sessionKey, new Page<>(page.items(), page.more() || this.more)));
		}

	}

}
