package dev.agentsessions.session;

import java.util.Map;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * How a caller sees the secrets of credentials that agents keep in events and state. The
 * services apply it to everything that they return.
 */
public enum Secrets {

	/** As they were sent. An agent needs them. */
	WHOLE,

	/** With {@link CredentialMask#MASK} in their place. */
	MASKED;

	/** Returns a value as the caller sees it. */
	public JsonText of(JsonText value) {
		return (this == MASKED) ? CredentialMask.apply(value) : value;
	}

	/** Returns an event as the caller sees it. */
	public Event of(Event event) {
		return (this == MASKED) ? new Event(event.seq(), event.commitTime(), event.id(), of(event.body())) : event;
	}

	/** Returns state as the caller sees it. Its keys count as the names of members. */
	public Map<String, JsonText> of(Map<String, JsonText> state) {
		return (this == MASKED) ? JsonObject.of(of(new JsonObject("", state).toJson())).members() : state;
	}

	/** Returns a session as the caller sees it. */
	public Session of(Session session) {
		return (this == MASKED) ? session.with(of(session.state()), session.events().map(this::of)) : session;
	}

}
