package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.event.EventQuery;

/**
 * Reads the next chunk of a stream of events: as many events as a bounded amount of
 * memory can hold. First it sums up the sizes to find the end of the chunk, then it reads
 * the events. {@link ListEventsStatement} sorts whole events by the window function,
 * which takes longer.
 */
@Component
public class NextEventsStatement {

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
	 * @param query where the chunk begins, where the stream ends, and the most events of
	 * the chunk
	 * @param deferFrom an event of this size and larger is deferred: only its size is
	 * read
	 * @return the events; empty if none follow, or if there is no such session
	 */
	public EventRows execute(UUID sessionKey, EventQuery query, long deferFrom) {
		EventRows rows = new Rows();
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

	private static final class Rows extends EventRows {

		@Override
		public void processRow(ResultSet row) throws SQLException {
			addEvent(row);
		}

	}

}
