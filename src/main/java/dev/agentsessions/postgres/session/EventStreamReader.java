package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.EventEntity.EventRows;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;

/**
 * Reads the events of one version of a session in chunks. Events that are appended
 * meanwhile are not read.
 */
@Component
public class EventStreamReader {

	private final Transactions transactions;

	private final EventRepository events;

	private final EventListReader lists;

	private final NextEventsStatement nextStatement;

	private final HeapBoundedReads reads;

	private final ContextReader context;

	EventStreamReader(Transactions transactions, EventRepository events, EventListReader lists,
			NextEventsStatement nextStatement, HeapBoundedReads reads, ContextReader context) {
		this.transactions = transactions;
		this.events = events;
		this.lists = lists;
		this.nextStatement = nextStatement;
		this.reads = reads;
		this.context = context;
	}

	/**
	 * Reads the events of a window.
	 * @throws SessionException.NotFound if the session is gone, also while the stream is
	 * read
	 */
	public EventStream read(SessionVersion version, EventWindow window) {
		UUID key = version.sessionKey();
		if (window.view() == HistoryView.CONTEXT) {
			return this.context.stream(key, version, window);
		}
		long first = firstSeq(key, version.revision(), window);
		if (first == 0 || first > version.revision()) {
			return EventStream.EMPTY;
		}
		EventQuery query = EventQuery.of(false, ListEventsStatement.MAX_CHUNK_EVENTS)
			.ofSession(key)
			.between(first - 1, version.revision() + 1)
			.filtered(EventFilter.since(window.since()));
		return continueFrom(chunk(key, query), version, window);
	}

	/** Streams the events of a window, after a first chunk that is not empty. */
	EventStream continueFrom(List<Event> chunk, SessionVersion version, EventWindow window) {
		return this.reads.stream(chunk, (last) -> next(last, version, window));
	}

	/** Returns the seq of the first event of a window; zero if it is empty. */
	private long firstSeq(UUID key, long last, EventWindow window) {
		Integer recent = window.recent();
		if (recent == null || window.isEmpty()) {
			return window.isEmpty() ? 0 : window.fromSeq();
		}
		Instant since = window.since();
		long first = (since == null) ? Math.max(1, last - recent + 1)
				: this.transactions.statement(() -> this.events.firstOfNewest(key, last, since, recent));
		return (first == 0) ? 0 : Math.max(first, window.fromSeq());
	}

	/** Returns the supplier of the next chunk; empty after the last one. */
	Supplier<List<Event>> next(List<Event> chunk, SessionVersion version, EventWindow window) {
		UUID key = version.sessionKey();
		long last = chunk.get(chunk.size() - 1).seq();
		if (last == version.revision()) {
			return List::of;
		}
		EventQuery query = EventQuery.of(false, ListEventsStatement.likelyToFit(chunk))
			.ofSession(key)
			.between(last, version.revision() + 1)
			.filtered(EventFilter.since(window.since()));
		return () -> next(key, query);
	}

	private List<Event> next(UUID key, EventQuery query) {
		List<Event> next = this.reads.read((deferFrom) -> this.nextStatement.execute(key, query, deferFrom)).events();
		// An empty chunk has two reasons: the window ends here, or the session is gone.
		return !next.isEmpty() ? next : chunk(key, query);
	}

	private List<Event> chunk(UUID key, EventQuery query) {
		return this.lists.chunk(key, query).orElseThrow(SessionException.NotFound::new).items();
	}

	/**
	 * Reads the next chunk of a stream of events: as many events as a bounded amount of
	 * memory can hold. First it sums up the sizes to find the end of the chunk, then it
	 * reads the events. {@link ListEventsStatement} sorts whole events by the window
	 * function, which takes longer.
	 */
	@Component
	public static class NextEventsStatement {

		private static final String SQL = """
				select seq, commit_time, id, case when size < ? then body end as body,
				  case when size >= ? then size end as size from events
				where session_key = ? and seq > ? and (?::timestamptz is null or time >= ?) and seq <= (
				    select max(seq) from (
				      select seq, sum(size) over (order by seq rows unbounded preceding) - size as before from events
				      where session_key = ? and seq > ? and (?::timestamptz is null or time >= ?) and seq < ?
				      order by seq limit ?) as sizes
				    where before < ?)
				  and exists (
				    select from sessions where session_key = ? and %s)
				order by seq
				""".formatted(Sql.LIVE);

		private final JdbcTemplate jdbc;

		NextEventsStatement(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		/**
		 * Reads a chunk.
		 * @param query where the chunk begins, where the stream ends, and the most events
		 * of the chunk
		 * @param deferFrom an event of this size and larger is deferred: only its size is
		 * read
		 * @return the events; empty if none follow, or if there is no such session
		 */
		public EventRows execute(UUID sessionKey, EventQuery query, long deferFrom) {
			EventRows rows = new EventRows();
			this.jdbc.query(SQL,
					(statement) -> new StatementParameters(statement)
						.addAll(deferFrom, deferFrom, sessionKey, query.afterSeq())
						.addTwice(query.filter().since())
						.addAll(sessionKey, query.afterSeq())
						.addTwice(query.filter().since())
						.addAll(query.beforeSeq(), query.limit(), ListEventsStatement.MAX_CHUNK_CHARS, sessionKey),
					rows);
			return rows;
		}

	}

}
