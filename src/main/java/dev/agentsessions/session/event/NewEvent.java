package dev.agentsessions.session.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * An event that is to be appended: as sent, with known names in camelCase, without {@code
 * temp:} keys, and with an id and a timestamp if it had none.
 *
 * @param id unique within the session
 * @param invocationId blank if none was sent
 * @param author blank if none was sent
 * @param time the time that the sender gave it, in microseconds; it does not depend on
 * the seq
 * @param timed whether the sender gave it a time
 * @param partial whether it is a part of a streamed response, which is not stored
 * @param delta the state that it changes
 * @param marks its further meaning
 * @param kind its possible meanings, as bits of {@link EventKind}
 * @param body the whole event
 */
public record NewEvent(String id, String invocationId, String author, Instant time, boolean timed, boolean partial,
		StateDelta delta, EventMarks marks, int kind, JsonText body) {

	public NewEvent {
		time = time.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * Reads an event.
	 * @param sent the event in JSON
	 * @throws JsonException.InvalidShape if a field has the wrong type, or a call that
	 * waits has an id that cannot be listed
	 * @throws SessionException.InvalidArgument if a field has a value that is not allowed
	 */
	public static NewEvent of(JsonObject sent) {
		JsonObject fields = sent.renamed(EventFields.EVENT_NAMES);
		EventShapes.EVENT.check(fields);
		JsonObject actions = EventFields.actions(fields);
		StateDelta delta = StateDeltas.of(actions.object(EventFields.STATE_DELTA)).stored();
		JsonText timestamp = fields.get(EventFields.TIMESTAMP);
		Instant time = (timestamp != null) ? time(timestamp) : Instant.now().truncatedTo(ChronoUnit.MICROS);
		String id = id(fields);
		boolean partial = fields.flag(EventFields.PARTIAL);
		EventMarks marks = partial ? EventMarks.NONE : EventMarks.ofNew(fields, actions);
		JsonText body = partial ? sent.toJson() : body(fields, actions, delta, id, time);
		return new NewEvent(id, text(fields, EventFields.INVOCATION_ID), text(fields, EventFields.AUTHOR), time,
				timestamp != null, partial, delta, marks, EventKind.of(fields, actions, delta, marks), body);
	}

	/**
	 * Creates the event for a change of state without content, as ADK's server does.
	 * @param stateDelta the keys to set, in JSON
	 */
	public static NewEvent ofStateDelta(JsonObject stateDelta) {
		JsonText actions = new JsonText("{\"" + EventFields.STATE_DELTA + "\":" + stateDelta.toJson() + "}");
		return of(JsonObject.EMPTY.with(EventFields.INVOCATION_ID, JsonStrings.of("p-" + UUID.randomUUID()))
			.with(EventFields.AUTHOR, JsonStrings.of(EventFields.USER))
			.with(EventFields.ACTIONS, actions));
	}

	/**
	 * Checks events that are to be stored together.
	 * @throws SessionException.EventIdConflict if two of them have the same id
	 */
	public static void checkIdsDiffer(List<NewEvent> events) {
		Set<String> ids = new HashSet<>();
		for (NewEvent event : events) {
			if (!ids.add(event.id())) {
				throw SessionException.EventIdConflict.withinRequest(event.id());
			}
		}
	}

	/**
	 * Checks that a stored event is this event, so that appending it again is a retry.
	 * Values that the server filled in do not count, nor do spaces and the order of
	 * names. This may take seconds for a large event: call it outside of transactions.
	 * @throws SessionException.EventIdConflict if the stored event has other content
	 */
	public void checkIsSameAs(Event stored) {
		JsonText sent = this.timed ? this.body : withTime(stored.body());
		if (!sent.equals(stored.body()) && !sent.meansSameAs(withActions(stored.body()))) {
			throw new SessionException.EventIdConflict(stored.id());
		}
	}

	/** Returns the copy of this event for a session with another name. */
	public NewEvent restored() {
		return new NewEvent(this.id, this.invocationId, this.author, this.time, this.timed, this.partial, this.delta,
				this.marks, this.kind, RestoredEvents.of(this.body));
	}

	/** Returns this event with the time of a stored event. */
	private JsonText withTime(JsonText stored) {
		JsonText time = JsonObject.of(stored).get(EventFields.TIMESTAMP);
		return (time != null) ? JsonObject.of(this.body).with(EventFields.TIMESTAMP, time).toJson() : this.body;
	}

	/** An event that was stored without actions equals an event with empty ones. */
	private static JsonText withActions(JsonText body) {
		JsonObject event = JsonObject.of(body);
		return event.with(EventFields.ACTIONS, EventFields.actions(event).toJson()).toJson();
	}

	private static JsonText body(JsonObject fields, JsonObject actions, StateDelta delta, String id, Instant time) {
		Map<String, JsonText> completed = new LinkedHashMap<>();
		completed.put(EventFields.ID, JsonStrings.of(id));
		completed.put(EventFields.INVOCATION_ID, JsonStrings.of(text(fields, EventFields.INVOCATION_ID)));
		completed.put(EventFields.AUTHOR, JsonStrings.of(text(fields, EventFields.AUTHOR)));
		completed.put(EventFields.TIMESTAMP, seconds(fields.get(EventFields.TIMESTAMP), time));
		completed.put(EventFields.ACTIONS, actions(EventFields.withPlainVersions(actions), delta));
		return fields.with(completed).toJson();
	}

	private static JsonText actions(JsonObject actions, StateDelta delta) {
		boolean sent = actions.members().containsKey(EventFields.STATE_DELTA);
		return (sent ? actions.with(EventFields.STATE_DELTA, StateDeltas.toJson(delta)) : actions).toJson();
	}

	private static JsonText seconds(@Nullable JsonText sent, Instant time) {
		return (sent != null && Timestamps.isSeconds(sent.text())) ? sent
				: new JsonText(Timestamps.toSeconds(time).toPlainString());
	}

	private static Instant time(JsonText timestamp) {
		return Timestamps.parse(EventFields.TIMESTAMP, timestamp.stringOrText());
	}

	private static String id(JsonObject fields) {
		String id = fields.string(EventFields.ID);
		return (id == null || id.isBlank()) ? UUID.randomUUID().toString() : Identifiers.check(EventFields.ID, id);
	}

	private static String text(JsonObject fields, String name) {
		String text = fields.string(name);
		StorableText.check(name, text);
		return (text != null) ? text : "";
	}

	/**
	 * Events that are copied to a session with another name. ADK stores values of its own
	 * in {@code customMetadata}, such as the stamps with which
	 * {@code ToolCallIntegrityPlugin} ties function calls to their session. In a copy
	 * they would be wrong, and the plugin would refuse the next run. So a copy gets the
	 * mark of restored events instead, as when ADK itself restores events. Source:
	 * {@code mark_restored} of ADK Python 2.13.
	 */
	public static final class RestoredEvents {

		/**
		 * The beginning of the names of values that only ADK writes. Other events are not
		 * changed by {@link #of}.
		 */
		public static final String INTERNAL = "__adk_internal_";

		private static final String MARK = INTERNAL + "restored_event";

		private RestoredEvents() {
		}

		/** Returns the copy of an event: the same text if ADK has added nothing to it. */
		public static JsonText of(JsonText body) {
			if (!body.text().contains(INTERNAL)) {
				return body;
			}
			JsonObject event = JsonObject.of(body);
			JsonObject metadata = LenientFields.object(event, EventFields.CUSTOM_METADATA);
			return (metadata != null && metadata.members().keySet().stream().anyMatch(RestoredEvents::isInternal))
					? event.with(EventFields.CUSTOM_METADATA, marked(metadata)).toJson() : body;
		}

		private static JsonText marked(JsonObject metadata) {
			return metadata.changed((members) -> members.keySet().removeIf(RestoredEvents::isInternal))
				.with(MARK, JsonText.TRUE)
				.toJson();
		}

		private static boolean isInternal(String name) {
			return name.startsWith(INTERNAL);
		}

	}

	/** Reads and writes state deltas as JSON. */
	public static final class StateDeltas {

		private StateDeltas() {
		}

		/**
		 * Reads the changes of the state from a map of keys and values.
		 * @param changes the map, {@code null} for no changes
		 * @throws SessionException.InvalidArgument if a key cannot be stored
		 */
		public static StateDelta of(@Nullable JsonObject changes) {
			if (changes == null) {
				return StateDelta.EMPTY;
			}
			changes.members().keySet().forEach((key) -> checkKey(changes.path(), key));
			return new StateDelta(changes.members());
		}

		/**
		 * Refuses a key with a prefix, where the request names the scope.
		 * @throws SessionException.InvalidArgument if the key has the prefix of a scope
		 */
		public static void checkNoPrefix(String key) {
			InvalidArgument.check(StateScope.of(key) == StateScope.SESSION, key, "must be written without prefix here");
		}

		/** Returns the changes as a JSON object. */
		public static JsonText toJson(StateDelta delta) {
			return new JsonObject("", delta.changes()).toJson();
		}

		private static void checkKey(String path, String key) {
			if (key.codePointCount(0, key.length()) > Identifiers.MAX_CODE_POINTS) {
				throw invalid(path, "has a key of more than " + Identifiers.MAX_CODE_POINTS + " characters");
			}
			if (!StorableText.test(key)) {
				throw invalid(path, "has the key " + JsonStrings.quote(key) + ": a key " + StorableText.RULE);
			}
		}

		private static InvalidArgument invalid(String path, String rule) {
			return new InvalidArgument(path.isEmpty() ? "The body" : path, rule);
		}

	}

}
