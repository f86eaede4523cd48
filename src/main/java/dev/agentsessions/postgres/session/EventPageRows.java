package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.event.EventPage;

/**
 * The rows of a page of events. A session without events on the page has one row without
 * an event. All rows have the key of the session.
 */
public final class EventPageRows extends EventRows {

	private final int limit;

	private @Nullable UUID sessionKey;

	private boolean more;

	/**
	 * Creates an empty page.
	 * @param limit the most events of the page; one more shows that more follow
	 */
	public EventPageRows(int limit) {
		this.limit = limit;
	}

	@Override
	public void processRow(ResultSet row) throws SQLException {
		if (this.sessionKey == null) {
			this.sessionKey = row.getObject("session_key", UUID.class);
		}
		row.getLong("seq");
		if (!row.wasNull()) {
			addEvent(row);
			this.more = row.getBoolean("more");
		}
	}

	/** Returns the page without deferred events; empty if there is no such session. */
	public Optional<EventPage> page() {
		Page<Event> page = Page.of(events(), this.limit);
		return Optional.ofNullable(this.sessionKey)
			.map((birth) -> new EventPage(birth, new Page<>(page.items(), page.more() || this.more)));
	}

}
