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
	 * What has such rows begins with it, the key of a session and, to get nothing of
	 * another one that has taken its place, when it was created.
	 */
	static final String OF_LIVE_SESSION = """
			select create_time, seq, commit_time, id, body, more from (
			  select create_time from sessions
			  where session_key = ? and create_time = coalesce(?, create_time)
			    and (expire_time is null or expire_time > statement_timestamp())) as live
			""";

	private final List<Event> events = new ArrayList<>();

	private @Nullable Instant createTime;

	private boolean more;

	@Override
	public void processRow(ResultSet row) throws SQLException {
		this.createTime = row.getObject("create_time", OffsetDateTime.class).toInstant();
		long seq = row.getLong("seq");
		if (!row.wasNull()) {
			this.events.add(event(seq, row));
			this.more = row.getBoolean("more");
		}
	}

	/** The events, empty if there is no such session. */
	Optional<EventPage> page(int limit) {
		Page<Event> page = Page.of(this.events, limit);
		return Optional.ofNullable(this.createTime)
			.map((created) -> new EventPage(created, new Page<>(page.items(), page.more() || this.more)));
	}

	private static Event event(long seq, ResultSet row) throws SQLException {
		return new Event(seq, row.getObject("commit_time", OffsetDateTime.class).toInstant(), row.getString("id"),
				new JsonText(row.getString("body")));
	}

}
