package dev.agentsessions.session.manage;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.state.StateDelta;

/**
 * A request to create a session.
 *
 * @param key its key
 * @param state the initial state, in all scopes
 * @param events its first events, oldest first
 * @param details display name, labels and expiry
 */
public record CreateSession(SessionKey key, StateDelta state, List<NewEvent> events, SessionDetails details) {

	/**
	 * Creates a request without {@code temp:} keys and partial events, which are not
	 * stored.
	 * @throws SessionException.EventIdConflict if two of the events have the same id
	 */
	public CreateSession {
		state = state.stored().withoutRemovals();
		events = events.stream().filter((event) -> !event.partial()).toList();
		NewEvent.checkIdsDiffer(events);
	}

	/**
	 * Returns the key of a new session.
	 * @param sessionId the id that the caller wants; {@code null} or blank for a new UUID
	 */
	public static SessionKey key(String appName, String userId, @Nullable String sessionId) {
		String id = (sessionId != null && !sessionId.isBlank()) ? sessionId : UUID.randomUUID().toString();
		return new SessionKey(appName, userId, id);
	}

	/**
	 * Returns all that it sets in the state: the initial state, changed by the events.
	 */
	public StateDelta delta() {
		return this.events.stream().map(NewEvent::delta).reduce(this.state, StateDelta::then);
	}

}
