package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.Page;

/**
 * The rows of a page of events. One row without an event is there for a session that has
 * none to show. All rows tell when the same session was created, so one is asked.
 */
final class EventPageRows extends BoundedRows {

	private final int limit;

	private @Nullable Instant createTime;

	private boolean more;

	EventPageRows(int limit) {
		this.limit = limit;
	}

	@Override
	public void processRow(ResultSet row) throws SQLException {
		if (this.createTime == null) {
			this.createTime = Columns.time(row, "create_time");
		}
		row.getLong("seq");
		if (!row.wasNull()) {
			addEvent(row);
			this.more = row.getBoolean("more");
		}
	}

	/** The events that are not withheld, empty if there is no such session. */
	Optional<EventPage> page() {
		Page<Event> page = Page.of(events(), this.limit);
		return Optional.ofNullable(this.createTime)
			.map((created) -> new EventPage(created, new Page<>(page.items(), page.more() || this.more)));
	}

}
