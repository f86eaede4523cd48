package dev.agentsessions.adk;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.DetailsFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.EventService;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionService;
import dev.agentsessions.state.Removal;

/**
 * The body of a request that changes a session.
 *
 * @param stateDelta the keys to set and those to remove, which makes an event;
 * {@code null} for none
 * @param details what people shall call the session
 */
record UpdateSessionRequest(@Nullable JsonObject stateDelta, SessionDetails details) {

	static UpdateSessionRequest of(JsonObject body) {
		JsonObject fields = BodyNames.UPDATE.read(body, "");
		JsonObject stateDelta = withRemovals(fields.object(BodyNames.STATE_DELTA), fields);
		SessionDetails details = DetailsFields.read(fields);
		if (stateDelta == null && details.equals(SessionDetails.NONE)) {
			throw new JsonException.InvalidShape(BodyNames.STATE_DELTA, "is required and must be a JSON object");
		}
		return new UpdateSessionRequest(stateDelta, details);
	}

	private static @Nullable JsonObject withRemovals(@Nullable JsonObject stateDelta, JsonObject fields) {
		JsonText keys = fields.get(BodyNames.REMOVE_KEYS);
		if (keys == null) {
			return stateDelta;
		}
		Map<String, JsonText> changes = new LinkedHashMap<>((stateDelta != null) ? stateDelta.members() : Map.of());
		for (JsonText element : keys.elements(BodyNames.REMOVE_KEYS)) {
			String key = element.string(BodyNames.REMOVE_KEYS);
			JsonText other = changes.put(key, Removal.MARK);
			if (other != null && !Removal.is(other)) {
				throw new JsonException.InvalidShape(BodyNames.REMOVE_KEYS,
						"must not name " + JsonStrings.quote(key) + ", which stateDelta sets");
			}
		}
		return new JsonObject(BodyNames.STATE_DELTA, changes);
	}

	void apply(SessionService sessions, EventService events, SessionKey key, Precondition precondition) {
		if (this.stateDelta != null) {
			events.append(key, new AppendRequest(NewEvent.ofStateDelta(this.stateDelta), precondition, this.details));
		}
		else {
			sessions.updateDetails(key, this.details, precondition);
		}
	}

}
