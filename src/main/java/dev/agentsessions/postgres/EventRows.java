package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.RowCallbackHandler;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.state.JsonText;

/** Makes a page of rows of events that say whether more follow. */
final class EventRows implements RowCallbackHandler {

	private final List<Event> events = new ArrayList<>();

	private boolean more;

	@Override
	public void processRow(ResultSet row) throws SQLException {
		this.events.add(new Event(row.getLong("seq"), row.getObject("commit_time", OffsetDateTime.class).toInstant(),
				row.getString("id"), new JsonText(row.getString("body"))));
		this.more = row.getBoolean("more");
	}

	Page<Event> page(int limit) {
		Page<Event> page = Page.of(this.events, limit);
		return new Page<>(page.items(), page.more() || this.more);
	}

}
