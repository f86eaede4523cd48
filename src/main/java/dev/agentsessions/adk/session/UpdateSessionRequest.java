package dev.agentsessions.adk.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.state.RemovalMarker;
import dev.agentsessions.web.DetailsFields;

/**
 * The body of a request that updates a session.
 *
 * @param stateDelta the keys to set and to remove, which are appended as an event;
 * {@code null} for none
 * @param details the changed session details (display name, labels, expiry)
 */
record UpdateSessionRequest(@Nullable JsonObject stateDelta, SessionDetails details) {

	static UpdateSessionRequest of(JsonObject body) {
		JsonObject fields = KnownFields.UPDATE.read(body, "");
		JsonObject stateDelta = withRemovals(fields.object(KnownFields.STATE_DELTA), fields);
		SessionDetails details = DetailsFields.read(fields);
		if (stateDelta == null && details.equals(SessionDetails.NONE)) {
			throw new JsonException.InvalidShape(KnownFields.STATE_DELTA, "is required and must be a JSON object");
		}
		return new UpdateSessionRequest(stateDelta, details);
	}

	private static @Nullable JsonObject withRemovals(@Nullable JsonObject stateDelta, JsonObject fields) {
		JsonText keys = fields.get(KnownFields.REMOVE_KEYS);
		if (keys == null) {
			return stateDelta;
		}
		Map<String, JsonText> changes = new LinkedHashMap<>((stateDelta != null) ? stateDelta.members() : Map.of());
		for (String key : keys.strings(KnownFields.REMOVE_KEYS)) {
			JsonText other = changes.put(key, RemovalMarker.REMOVED);
			if (other != null && !RemovalMarker.is(other)) {
				throw new JsonException.InvalidShape(KnownFields.REMOVE_KEYS,
						"must not name " + JsonStrings.quote(key) + ", which stateDelta sets");
			}
		}
		return new JsonObject(KnownFields.STATE_DELTA, changes);
	}

	UUID apply(SessionService sessions, EventService events, SessionKey key, Precondition precondition) {
		if (this.stateDelta == null) {
			return sessions.updateDetails(key, this.details, precondition);
		}
		NewEvent event = NewEvent.ofStateDelta(this.stateDelta);
		return events.append(key, new AppendRequest(event, precondition, this.details)).version().birth();
	}

}
