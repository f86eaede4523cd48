package dev.agentsessions.postgres.history;

import java.util.Objects;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.RestoredEvents;

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

	private static final String FIND_INTERNAL = """
			select seq from events
			where session_key = ? and seq > ? and seq <= ? and strpos(body::text, '%s') > 0 order by seq
			""".formatted(RestoredEvents.INTERNAL);

	private static final String READ_BODY = "select body from events where session_key = ? and seq = ?";

	private static final String REPLACE_BODY = """
			update events set body = ?::json, size = ? where session_key = ? and seq = ?
			""";

	private final JdbcTemplate jdbc;

	private final long limit;

	EventCopyStatements(JdbcTemplate jdbc, LimitProperties limits) {
		this.jdbc = jdbc;
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
		int copied = this.jdbc.update(COPY_EVENTS,
				(statement) -> new StatementParameters(statement).add(target.sessionKey())
					.add(target.createTime())
					.add(source)
					.add(Long.valueOf(after))
					.add(Long.valueOf(last)));
		if (copied != last - after) {
			throw new SessionException.NotFound();
		}
		this.jdbc.queryForList(FIND_INTERNAL, Long.class, target.sessionKey(), after, last)
			.forEach((seq) -> restore(target.sessionKey(), seq));
	}

	/** One by one, because events may be large, and few have anything of ADK. */
	private void restore(UUID target, Long seq) {
		String body = CountingJdbcTemplate
			.uncounted(() -> this.jdbc.queryForObject(READ_BODY, String.class, target, seq));
		JsonText restored = RestoredEvents.of(new JsonText(Objects.requireNonNull(body)));
		this.jdbc.update(REPLACE_BODY, restored.text(), restored.bytes(), target, seq);
	}

}
