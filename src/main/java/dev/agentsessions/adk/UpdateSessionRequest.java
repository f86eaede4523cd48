package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionService;

/**
 * The body of a request that changes a session.
 *
 * @param stateDelta the keys to set, which makes an event; {@code null} for none
 * @param details what people shall call the session
 */
record UpdateSessionRequest(@Nullable JsonObject stateDelta, SessionDetails details) {

	static UpdateSessionRequest of(JsonObject body) {
		JsonObject fields = RequestFields.of(body);
		JsonObject stateDelta = fields.object(RequestFields.STATE_DELTA);
		SessionDetails details = RequestFields.details(fields);
		if (stateDelta == null && details.equals(SessionDetails.NONE)) {
			throw new JsonException.InvalidShape(RequestFields.STATE_DELTA, "is required and must be a JSON object");
		}
		return new UpdateSessionRequest(stateDelta, details);
	}

	void apply(SessionService sessions, SessionKey key, Precondition precondition) {
		if (this.stateDelta != null) {
			sessions.append(key, new AppendRequest(NewEvent.ofStateDelta(this.stateDelta), precondition, this.details));
		}
		else {
			sessions.updateDetails(key, this.details, precondition);
		}
	}

}
