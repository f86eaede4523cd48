package dev.agentsessions.session.event;

import java.util.List;
import java.util.UUID;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;

/**
 * A part of the events of a session.
 *
 * @param birth which session they belong to, whatever takes its place
 * @param page the events
 */
public record EventPage(UUID birth, Page<Event> page) {

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
