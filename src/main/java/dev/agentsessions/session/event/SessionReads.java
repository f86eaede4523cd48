package dev.agentsessions.session.event;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;

/**
 * Reads one session and its events. The guarantees of
 * {@link dev.agentsessions.session.lifecycle.SessionService.Store} hold here, too.
 */
public interface SessionReads {

	/** Reads a session; empty if there is none. */
	Optional<Session> find(SessionName name, EventWindow window);

	/**
	 * Reads the session with this key; empty if it is deleted, even if another session
	 * has its name now.
	 */
	default Optional<Session> find(SessionName name, UUID sessionKey, EventWindow window) {
		return find(name, window).filter((session) -> session.sessionKey().equals(sessionKey));
	}

	/** Lists events; empty if there is no such session. */
	Optional<EventPage> events(SessionName name, EventQuery query);

	/**
	 * Lists events by the time that their senders gave them, then by seq; empty if there
	 * is no such session.
	 */
	Optional<EventPage> timeline(SessionName name, TimelineQuery query);

	/**
	 * Reads some events by their ids; empty if there is no such session.
	 * @param ids no two the same
	 */
	Optional<SelectedEvents> events(SessionName name, List<String> ids);

	/** Reads one event; empty if there is none, or no such session. */
	Optional<Event> event(SessionName name, String eventId);

	/**
	 * Events of a session that a caller selects by their ids.
	 *
	 * @param events the events that exist, in the requested order; read during iteration
	 * @param missing the ids of which the session has no event, in the same order
	 */
	record SelectedEvents(EventStream events, List<String> missing) {

	}

}
