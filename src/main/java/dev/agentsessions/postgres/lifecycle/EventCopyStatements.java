package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.session.event.NewEvent.RestoredEvents;
import dev.agentsessions.session.heap.ResponseHeap;

/** Copies the events of a session to another one, in batches of bounded size. */
@Component
class EventCopyStatements {

	/** An event counts as its size and this number of bytes. */
	private static final int EVENT_OVERHEAD_BYTES = 1000;

	/** One transaction copies at most this number of bytes, but one event at least. */
	private static final long MAX_BATCH_BYTES = 16 << 20;

	private static final int MAX_BATCH_EVENTS = 5000;

	private static final String SIZE = "select coalesce(sum(size + " + EVENT_OVERHEAD_BYTES
			+ "::bigint), 0) from events where session_key = ? and seq <= ?";

	private static final String LAST_OF_BATCH = """
			select coalesce(max(seq), 0) from (
			  select seq, sum(size + %1$d::bigint) over (order by seq) - size - %1$d as before from events
			  where session_key = ? and seq > ? and seq <= ? order by seq limit ?) as next
			where before < ?
			""".formatted(EVENT_OVERHEAD_BYTES);

	private static final String COPY_EVENTS = """
			insert into events (%s)
			select ?, seq, ?::timestamptz + seq * interval '1 microsecond', id, invocation_id, author, time, kind, size, body
			from events where session_key = ? and seq > ? and seq <= ? order by seq
			"""
		.formatted(Sql.EVENT_COLUMNS);

	private static final int MAX_RESTORED_AT_ONCE = 100;

	private static final String FIND_INTERNAL = """
			select seq, body from events
			where session_key = ? and seq > ? and seq <= ? and strpos(body::text, '%s') > 0 order by seq limit %d
			""".formatted(RestoredEvents.INTERNAL, MAX_RESTORED_AT_ONCE);

	private static final String REPLACE_BODY = """
			update events set body = ?::json, size = ? where session_key = ? and seq = ?
			""";

	private final JdbcTemplate jdbc;

	private final ResponseHeap memory;

	private final long limit;

	EventCopyStatements(JdbcTemplate jdbc, ResponseHeap memory, LimitProperties limits) {
		this.jdbc = jdbc;
		this.memory = memory;
		this.limit = limits.forkSize().toBytes();
	}

	/**
	 * Checks the size of the events that a fork copies.
	 * @param seq the last event to be copied
	 * @throws SessionException.TooLarge if the events are larger than a fork may be
	 */
	void checkSize(UUID source, long seq) {
		Long size = this.jdbc.queryForObject(SIZE, Long.class, source, seq);
		if (size != null && size > this.limit) {
			throw new SessionException.TooLarge("The copied history", this.limit, "bytes",
					"agent-sessions.limits.fork-size");
		}
	}

	/**
	 * Returns the last seq of the batch that begins after a seq.
	 * @param end the last event to be copied
	 * @throws SessionException.NotFound if the source is gone
	 */
	long lastOfBatch(UUID source, long after, long end) {
		Long last = this.jdbc.queryForObject(LAST_OF_BATCH, Long.class, source, after, end, MAX_BATCH_EVENTS,
				MAX_BATCH_BYTES);
		if (last == null || last <= after && after < end) {
			throw new SessionException.NotFound();
		}
		return last;
	}

	/**
	 * Copies the events after a seq up to another one, as {@link RestoredEvents}.
	 * @throws SessionException.NotFound if some are missing, because the source is gone
	 */
	void copy(UUID source, SessionRow target, long after, long last) {
		int copied = this.jdbc.update(COPY_EVENTS, (statement) -> new StatementParameters(statement)
			.addAll(target.sessionKey(), target.createTime(), source, after, last));
		if (copied != last - after) {
			throw new SessionException.NotFound();
		}
		restore(target.sessionKey(), after, last);
	}

	private void restore(UUID target, long after, long last) {
		long taken = this.memory.taken();
		long done = after;
		while (done < last) {
			List<Copied> found = this.jdbc.query(FIND_INTERNAL, Copied::of, target, done, last);
			this.jdbc.batchUpdate(REPLACE_BODY, found, MAX_RESTORED_AT_ONCE,
					(statement, copied) -> new StatementParameters(statement).addAll(copied.body().text(),
							copied.body().bytes(), target, copied.seq()));
			done = (found.size() < MAX_RESTORED_AT_ONCE) ? last : found.get(found.size() - 1).seq();
			this.memory.backTo(taken);
		}
	}

	/**
	 * A copied event.
	 *
	 * @param seq its seq
	 * @param body its new body
	 */
	private record Copied(long seq, JsonText body) {

		static Copied of(ResultSet row, int number) throws SQLException {
			return new Copied(row.getLong("seq"), RestoredEvents.of(new JsonText(row.getString("body"))));
		}

	}

}
