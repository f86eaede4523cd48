package dev.agentsessions.postgres.context;

import java.time.Instant;
import java.util.BitSet;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.event.EventPageRows;
import dev.agentsessions.postgres.event.ListEventsStatement;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.event.EventQuery;

/**
 * Reads some events of a session that is there, whose seqs are known. They are found by
 * the primary key, so what lies between them costs nothing. With {@code offset 0},
 * PostgreSQL looks for each run by itself, and does not read the session and join.
 */
@Component
class ContextEventsStatement {

	private static final String SQL = ListEventsStatement.OF_LIVE_SESSION
			+ """
					left join (
					  select seq, commit_time, id, body, size, sum(size) over (order by seq %1$s) - size as before,
					    lead(seq) over (order by seq %1$s) is not null as more
					  from unnest(?::int8[], ?::int8[]) as run (first, last) cross join lateral (
					    select * from events where session_key = ? and seq between run.first and run.last
					      and (?::timestamptz is null or time >= ?)
					      and (?::text is null or author = ?)
					      and (?::text is null or invocation_id = ?) offset 0) as event) as piece on before < ? order by seq %1$s
					""";

	private static final String OLDEST_FIRST = SQL.formatted("asc");

	private static final String NEWEST_FIRST = SQL.formatted("desc");

	private static final String SINCE = """
			select seq from unnest(?::int8[], ?::int8[]) as run (first, last) cross join lateral (
			  select seq from events where session_key = ? and seq between run.first and run.last and time >= ?
			  offset 0) as event
			""";

	private final JdbcTemplate jdbc;

	ContextEventsStatement(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Reads those that match a query.
	 * @param seqs the events
	 * @param large an event of this size and larger is withheld, and only its size told
	 */
	EventPageRows execute(UUID sessionKey, EventQuery query, BitSet seqs, long large) {
		EventPageRows rows = new EventPageRows(Integer.MAX_VALUE);
		this.jdbc.query(query.newestFirst() ? NEWEST_FIRST : OLDEST_FIRST,
				(statement) -> SeqRange
					.addTo(new StatementParameters(statement).add(large).add(sessionKey), SeqRange.of(seqs))
					.add(sessionKey)
					.addTwice(query.since())
					.addTwice(query.author())
					.addTwice(query.invocationId())
					.add(ListEventsStatement.PIECE),
				rows);
		return rows;
	}

	/** Those of some events that are stamped at a time or later. */
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
