package dev.agentsessions.postgres.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.event.EventQuery;

/**
 * Reads the next piece of a history, of a session that is there: as many events as a
 * bounded amount of memory can hold. First the sizes are summed up to find where the
 * piece ends, and then its events are read. To carry whole events through the sum, as
 * {@link ListEventsStatement} does, takes longer.
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
	 * Reads a piece of a history.
	 * @param query where the piece begins, where the history ends, and how many events
	 * are looked at
	 * @param large an event of this size and larger is withheld, and only its size told
	 */
	public EventRows execute(UUID sessionKey, EventQuery query, long large) {
		EventRows rows = new Rows();
		this.jdbc.query(SQL,
				(statement) -> new StatementParameters(statement).add(large)
					.add(large)
					.add(sessionKey)
					.add(query.afterSeq())
					.addTwice(query.since())
					.add(sessionKey)
					.add(query.afterSeq())
					.addTwice(query.since())
					.add(query.beforeSeq())
					.add(query.limit())
					.add(ListEventsStatement.PIECE)
					.add(sessionKey),
				rows);
		return rows;
	}

	/** An event each. */
	private static final class Rows extends EventRows {

		@Override
		public void processRow(ResultSet row) throws SQLException {
			addEvent(row);
		}

	}

}
