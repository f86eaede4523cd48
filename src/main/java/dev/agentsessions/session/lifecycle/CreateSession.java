package dev.agentsessions.session.lifecycle;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.state.StateDelta;

/**
 * A request to create a session.
 *
 * @param name its name
 * @param state the initial state, in all scopes
 * @param events its first events, oldest first
 * @param details display name, labels and expiry
 * @param creation identifies repetitions of the request; {@code null} if there may be
 * none
 */
public record CreateSession(SessionName name, StateDelta state, List<NewEvent> events, SessionDetails details,
		@Nullable CreationId creation) {

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

	/** Creates a request that may not be repeated. */
	public CreateSession(SessionName name, StateDelta state, List<NewEvent> events, SessionDetails details) {
		this(name, state, events, details, null);
	}

	/**
	 * Returns the name of a new session.
	 * @param sessionId the id that the caller wants; {@code null} or blank for a new UUID
	 */
	public static SessionName nameOf(String appName, String userId, @Nullable String sessionId) {
		return nameOf(appName, userId, sessionId, null);
	}

	/**
	 * Returns the name of a new session whose creation may be repeated.
	 * @param sessionId the id that the caller wants; {@code null} or blank for a UUID
	 * @param idempotencyKey decides which UUID; {@code null} for a new one
	 */
	public static SessionName nameOf(String appName, String userId, @Nullable String sessionId,
			@Nullable IdempotencyKey idempotencyKey) {
		if (sessionId != null && !sessionId.isBlank()) {
			return new SessionName(appName, userId, sessionId);
		}
		return new SessionName(appName, userId,
				(idempotencyKey != null) ? idempotencyKey.sessionId(appName, userId) : UUID.randomUUID().toString());
	}

	/**
	 * Returns all that it sets in the state: the initial state, changed by the events.
	 */
	public StateDelta delta() {
		return this.events.stream().map(NewEvent::delta).reduce(this.state, StateDelta::then);
	}

}
