package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.Page;
import dev.agentsessions.json.JsonText;

/**
 * Makes a page of rows of events that say whether more follow. One row without an event
 * is there for a session that has none to show.
 */
final class EventPageCollector implements RowCallbackHandler {

	/**
	 * What has such rows begins with it, the size from which on events are withheld, the
	 * key of a session and, to get nothing of another one that has taken its place, when
	 * it was created.
	 */
	static final String OF_LIVE_SESSION = """
			select create_time, seq, commit_time, id, case when size < ? then body end as body, size, more from (
			  select create_time from sessions
			  where session_key = ? and create_time = coalesce(?, create_time)
			    and (expire_time is null or expire_time > statement_timestamp())) as live
			""";

	private final List<Event> events = new ArrayList<>();

	private final int limit;

	private long size;

	private boolean complete = true;

	private @Nullable Instant createTime;

	private boolean more;

	EventPageCollector(int limit) {
		this.limit = limit;
	}

	@Override
	public void processRow(ResultSet row) throws SQLException {
		this.createTime = row.getObject("create_time", OffsetDateTime.class).toInstant();
		long seq = row.getLong("seq");
		if (!row.wasNull()) {
			this.size += row.getLong("size");
			add(seq, row);
			this.more = row.getBoolean("more");
		}
	}

	/** Whether nothing was withheld for its size. */
	boolean isComplete() {
		return this.complete;
	}

	/** How much the events have, together with what was withheld. */
	long size() {
		return this.size;
	}

	/** The events, empty if there is no such session. */
	Optional<EventPage> page() {
		Page<Event> page = Page.of(this.events, this.limit);
		return Optional.ofNullable(this.createTime)
			.map((created) -> new EventPage(created, new Page<>(page.items(), page.more() || this.more)));
	}

	private void add(long seq, ResultSet row) throws SQLException {
		String body = row.getString("body");
		if (body == null) {
			this.complete = false;
			return;
		}
		this.events.add(new Event(seq, row.getObject("commit_time", OffsetDateTime.class).toInstant(),
				row.getString("id"), new JsonText(body)));
	}

}
