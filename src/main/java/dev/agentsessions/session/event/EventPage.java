package dev.agentsessions.session.event;

import java.util.List;
import java.util.UUID;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;

/**
 * A page of the events of a session.
 *
 * @param sessionKey the key of the session
 * @param page the events
 */
public record EventPage(UUID sessionKey, Page<Event> page) {

	/** Returns the events. */
	public List<Event> items() {
		return this.page.items();
	}

	/** Returns whether more events follow. */
	public boolean more() {
		return this.page.more();
	}

	/** Returns the point right after the last event; there is one if more follow. */
	public EventPoint end() {
		return EventPoint.after(this.sessionKey, this.page.last());
	}

}
