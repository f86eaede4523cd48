package dev.agentsessions.session;

import java.time.Instant;
import java.util.List;

/**
 * A part of the events of a session.
 *
 * @param createTime when the session was created, which tells it from one that takes its
 * place
 * @param page the events
 */
public record EventPage(Instant createTime, Page<Event> page) {

	/** The events. */
	public List<Event> items() {
		return this.page.items();
	}

	/** Whether others follow. */
	public boolean more() {
		return this.page.more();
	}

	/** The last event; there is one if more follow. */
	public Event last() {
		return this.page.last();
	}

}
