package dev.agentsessions.session;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * How a caller sees secrets in contents. Each service applies it to what it has read
 * before anything else is done with it, so that a part of a content never leaves
 * unmasked. Names and ids stay as they are.
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

	/** Returns a text, which may be JSON, as the caller sees it. */
	public String of(String value) {
		return (this == MASKED) ? CredentialMask.apply(value) : value;
	}

	/** Returns an optional text as the caller sees it. */
	public @Nullable String ofNullable(@Nullable String value) {
		return (value != null) ? of(value) : null;
	}

	/** Returns an optional value as the caller sees it. */
	public @Nullable JsonText ofNullable(@Nullable JsonText value) {
		return (value != null) ? of(value) : null;
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
		return (this == MASKED)
				? session.seen(of(session.state()), session.events().map(this::of), of(session.details())) : session;
	}

	private SessionDetails of(SessionDetails details) {
		Map<String, String> labels = (details.labels() != null) ? new HashMap<>() : null;
		if (details.labels() != null && labels != null) {
			of(JsonObject.ofTexts(details.labels()).members())
				.forEach((name, value) -> labels.put(name, value.stringOrText()));
		}
		return new SessionDetails(ofNullable(details.displayName()), labels, details.expireTime());
	}

}
