package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.ListEventsStatement.EventPageRows;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads events of a session by their seqs. It finds them by the primary key, so the
 * events between them cost nothing. {@code offset 0} makes PostgreSQL look up each range
 * of seqs on its own, instead of reading the whole session for a join.
 */
@Component
class ContextEventsStatement {

	private static final String SQL = ListEventsStatement.OF_LIVE_SESSION + """
			left join (
			  select seq, commit_time, id, body, size, sum(size) over (order by seq %1$s) - size as before,
			    lead(seq) over (order by seq %1$s) is not null as more
			  from unnest(?::int8[], ?::int8[]) as range (first, last) cross join lateral (
			    select * from events where session_key = ? and seq between range.first and range.last
			      %2$s offset 0) as event) as chunk on before < ? order by seq %1$s
			""";

	private static final String OLDEST_FIRST = SQL.formatted("asc", Sql.MATCHES_FILTER);

	private static final String NEWEST_FIRST = SQL.formatted("desc", Sql.MATCHES_FILTER);

	private static final String SINCE = """
			select seq from unnest(?::int8[], ?::int8[]) as range (first, last) cross join lateral (
			  select seq from events where session_key = ? and seq between range.first and range.last and time >= ?
			  offset 0) as event
			""";

	private final JdbcTemplate jdbc;

	ContextEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads the given events that match a query, at most one chunk.
	 * @param seqs the seqs of the events
	 * @param deferFrom an event of this size and larger is deferred: only its size is
	 * read
	 */
	EventPageRows execute(UUID sessionKey, EventQuery query, BitSet seqs, long deferFrom) {
		EventPageRows rows = new EventPageRows(Integer.MAX_VALUE);
		this.jdbc.query(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST,
				(statement) -> SeqRange
					.addTo(new StatementParameters(statement).addAll(deferFrom, sessionKey), SeqRange.of(seqs))
					.add(sessionKey)
					.add(query.filter())
					.add(ListEventsStatement.MAX_CHUNK_CHARS),
				rows);
		return rows;
	}

	/** Returns the given events that have a time or a later one. */
	BitSet since(UUID sessionKey, BitSet seqs, Instant time) {
		BitSet found = new BitSet();
		this.jdbc.query(SINCE, (statement) -> SeqRange.addTo(new StatementParameters(statement), SeqRange.of(seqs))
			.addAll(sessionKey, time), (row) -> {
				found.set(row.getInt("seq"));
			});
		return found;
	}

	/**
	 * Reads events by their seqs, for computations that do not keep them. It reads them
	 * in chunks of bounded size, each by a statement of its own.
	 */
	@Component
	static class EventBodies {

		private static final EventQuery OLDEST_FIRST = EventQuery.of(false, Integer.MAX_VALUE);

		private static final EventQuery NEWEST_FIRST = EventQuery.of(true, Integer.MAX_VALUE);

		private final HeapBoundedReads reads;

		private final ContextEventsStatement statement;

		private final ResponseHeap memory;

		EventBodies(HeapBoundedReads reads, ContextEventsStatement statement, ResponseHeap memory) {
			this.reads = reads;
			this.statement = statement;
			this.memory = memory;
		}

		/**
		 * Visits all of some events, oldest first.
		 * @throws SessionException.NotFound if the session is gone
		 */
		void oldestFirst(UUID sessionKey, BitSet seqs, Consumer<Event> visitor) {
			BitSet next = SeqRange.following(seqs, 0, ListEventsStatement.MAX_CHUNK_EVENTS);
			while (!next.isEmpty()) {
				int last = visitChunk(sessionKey, OLDEST_FIRST, next, (event) -> {
					visitor.accept(event);
					return true;
				});
				next = SeqRange.following(seqs, last, ListEventsStatement.MAX_CHUNK_EVENTS);
			}
		}

		/**
		 * Visits events, newest first.
		 * @param visitor returns whether to continue
		 * @throws SessionException.NotFound if the session is gone
		 */
		void newestFirst(UUID sessionKey, BitSet seqs, Predicate<Event> visitor) {
			BitSet next = SeqRange.preceding(seqs, seqs.length(), ListEventsStatement.MAX_CHUNK_EVENTS);
			while (!next.isEmpty()) {
				int last = visitChunk(sessionKey, NEWEST_FIRST, next, visitor);
				next = SeqRange.preceding(seqs, last, ListEventsStatement.MAX_CHUNK_EVENTS);
			}
		}

		/**
		 * Visits as many of some events as one chunk has. Returns the seq of the last
		 * one; 0 if the visitor stops.
		 */
		private int visitChunk(UUID sessionKey, EventQuery order, BitSet seqs, Predicate<Event> visitor) {
			long before = this.memory.taken();
			List<Event> chunk = this.reads
				.read((deferFrom) -> this.statement.execute(sessionKey, order, seqs, deferFrom))
				.page()
				.map((page) -> page.items())
				.filter((events) -> !events.isEmpty())
				.orElseThrow(SessionException.NotFound::new);
			boolean more = chunk.stream().allMatch(visitor);
			this.memory.backTo(before);
			return more ? (int) chunk.get(chunk.size() - 1).seq() : 0;
		}

	}

}
