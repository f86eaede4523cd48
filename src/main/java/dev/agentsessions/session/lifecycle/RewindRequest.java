package dev.agentsessions.session.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.StateDeltas;
import dev.agentsessions.state.StateDelta;

/**
 * A request to rewind a session.
 *
 * @param beforeInvocationId right before the first event of this invocation
 * @param eventId the id of the event that rewinds; {@code null} for a new one
 */
public record RewindRequest(String beforeInvocationId, @Nullable String eventId) {

	/**
	 * Creates a request.
	 * @throws SessionException.InvalidArgument if one of the ids is not allowed
	 */
	public RewindRequest {
		HistoryPoint.checkInvocationId(beforeInvocationId);
		if (eventId != null) {
			Identifiers.check("eventId", eventId);
		}
	}

	/**
	 * Returns the event that ADK Python appends for a rewind. Source: {@code
	 * rewind_session} of ADK Python 2.13.
	 * @param past the own state that the rewind restores
	 * @param now the current own state
	 * @param artifacts the artifacts that the rewind restores
	 */
	NewEvent event(Map<String, JsonText> past, Map<String, JsonText> now, RestoredArtifacts artifacts) {
		Map<String, JsonText> versions = new LinkedHashMap<>();
		artifacts.artifacts()
			.forEach((artifact) -> versions.put(artifact.name(), new JsonText(Integer.toString(artifact.version()))));
		JsonObject actions = EventFields.noActions()
			.with(EventFields.ARTIFACT_DELTA, new JsonObject("", versions).toJson())
			.with(EventFields.STATE_DELTA, StateDeltas.toJson(new StateDelta(delta(past, now))))
			.with(EventFields.REWIND, JsonStrings.of(this.beforeInvocationId));
		JsonObject event = JsonObject.parse("{}")
			.with(EventFields.INVOCATION_ID, JsonStrings.of("e-" + UUID.randomUUID()))
			.with(EventFields.AUTHOR, JsonStrings.of("user"))
			.with(EventFields.ACTIONS, actions.toJson());
		return NewEvent.of((this.eventId != null) ? event.with(EventFields.ID, JsonStrings.of(this.eventId)) : event);
	}

	/**
	 * A key that did not exist becomes null. As in ADK, a key that is null already is set
	 * to null, too.
	 */
	private static Map<String, JsonText> delta(Map<String, JsonText> past, Map<String, JsonText> now) {
		Map<String, JsonText> delta = new LinkedHashMap<>(past);
		delta.entrySet()
			.removeIf((entry) -> !entry.getValue().isNull() && entry.getValue().equals(now.get(entry.getKey())));
		now.keySet().stream().filter((key) -> !past.containsKey(key)).forEach((key) -> delta.put(key, JsonText.NULL));
		return delta;
	}

	/**
	 * Returns the event that an earlier request has stored.
	 * @param stored an event with its id
	 * @return its body
	 * @throws SessionException.EventIdConflict if it is another event
	 */
	JsonText replayed(Event stored) {
		JsonObject actions = EventFields.actions(JsonObject.of(stored.body()));
		JsonText target = Optional.ofNullable(actions.get(EventFields.REWIND)).orElse(JsonText.NULL);
		if (target.isNull() || !target.string(EventFields.REWIND).equals(this.beforeInvocationId)) {
			throw new SessionException.EventIdConflict(stored.id());
		}
		return stored.body();
	}

}
