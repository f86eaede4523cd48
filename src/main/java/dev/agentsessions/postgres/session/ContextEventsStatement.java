package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.BitSet;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.ListEventsStatement.EventPageRows;
import dev.agentsessions.session.event.EventQuery;

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
					.addTo(new StatementParameters(statement).add(deferFrom).add(sessionKey), SeqRange.of(seqs))
					.add(sessionKey)
					.add(query.filter())
					.add(ListEventsStatement.MAX_CHUNK_CHARS),
				rows);
		return rows;
	}

	/** Returns the given events that have a time or a later one. */
	BitSet since(UUID sessionKey, BitSet seqs, Instant time) {
		BitSet found = new BitSet();
		this.jdbc.query(SINCE,
				(statement) -> SeqRange.addTo(new StatementParameters(statement), SeqRange.of(seqs))
					.add(sessionKey)
					.add(time),
				(row) -> {
					found.set(row.getInt("seq"));
				});
		return found;
	}

}
