package dev.agentsessions.search;

import java.math.BigDecimal;
import java.util.Objects;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventFields;

/**
 * What was said in one event.
 *
 * @param id names the event among all sessions of the user
 * @param sessionId the session
 * @param seq the seq of the event
 * @param eventId the id of the event
 * @param author who said it
 * @param timestamp the time that its sender gave it, in seconds
 * @param said its texts
 */
public record Turn(String id, String sessionId, long seq, String eventId, String author, BigDecimal timestamp,
		SaidText said) {

	/** Returns the turn of an event. */
	public static Turn of(TurnId id, String sessionId, Event event) {
		JsonObject body = JsonObject.parse(event.body().text());
		return new Turn(id.toString(), sessionId, event.seq(), event.id(),
				Objects.requireNonNullElse(body.string(EventFields.AUTHOR), ""),
				new BigDecimal(body.required(EventFields.TIMESTAMP).text()), SaidText.of(body));
	}

}
