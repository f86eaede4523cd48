package dev.agentsessions.adk;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.state.StateDelta.RemovalMarker;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DetailsFields;

/**
 * The field names that the service knows in one kind of request body. A name is refused
 * with a hint if it is another spelling of a known name or belongs to another request.
 * Otherwise, a misspelled field would have no effect and the client would see a success.
 * Unknown names are refused in requests that ADK's server does not have. They are
 * accepted in requests of ADK, because ADK clients and senders of events have fields of
 * their own.
 *
 * @param known the known names, in camelCase
 * @param misplaced the hint for each name that belongs to another request, by the name in
 * camelCase
 * @param complete whether unknown names are refused
 */
public record KnownFields(Set<String> known, Map<String, String> misplaced, boolean complete) {

	public static final String SESSION_ID = "sessionId";

	public static final String STATE = "state";

	public static final String STATE_DELTA = EventFields.STATE_DELTA;

	public static final String REMOVE_KEYS = "removeKeys";

	public static final String EVENTS = "events";

	public static final String OPTIONS = "options";

	public static final String HOLDER = "holder";

	public static final String EXCLUSIVE = "exclusive";

	public static final String AT_SEQ = "atSeq";

	public static final String BEFORE_INVOCATION_ID = "beforeInvocationId";

	public static final String BEFORE_SEQ = "beforeSeq";

	public static final String BEFORE_EVENT_ID = "beforeEventId";

	public static final String EVENT_ID = "eventId";

	public static final String IDS = "ids";

	private static final String INVOCATION_ID = EventFields.INVOCATION_ID;

	private static final String LAST_UPDATE_TIME = "lastUpdateTime";

	private static final String PARAMETER = "is no field here, but a parameter of the query";

	private static final String REMOVAL = "is a field of PATCH .../sessions/{sessionId} only; in an event, "
			+ RemovalMarker.REMOVED + " in place of a value removes a key";

	public static final KnownFields CREATE = new KnownFields(DetailsFields.and(SESSION_ID, STATE, EVENTS, OPTIONS), Map
		.of("id", meant(SESSION_ID), STATE_DELTA, meant(STATE), REMOVE_KEYS, "has nothing to remove in a new session"),
			false);

	/** ADK's server passes them to its session service, which refuses unknown ones. */
	public static final KnownFields CREATE_OPTIONS = new KnownFields(DetailsFields.and(), Map.of(), true);

	public static final KnownFields UPDATE = new KnownFields(DetailsFields.and(STATE_DELTA, REMOVE_KEYS), Map.of(STATE,
			meant(STATE_DELTA), EVENTS, "is no field of this body; events are appended with POST .../events:batch"),
			false);

	public static final KnownFields BATCH = new KnownFields(Set.of(EVENTS),
			Map.of("event", meant(EVENTS), LAST_UPDATE_TIME, PARAMETER), true);

	static final KnownFields EVENT = new KnownFields(
			Set.of("id", "invocationId", "author", "timestamp", "partial", "content", "actions"),
			Map.of(STATE_DELTA, meant("actions.stateDelta"), STATE, meant("actions.stateDelta"), REMOVE_KEYS, REMOVAL,
					"event", "is no field of an event; the body is the event itself", EVENTS,
					"is no field of an event; many are appended with POST .../events:batch", LAST_UPDATE_TIME,
					PARAMETER),
			false);

	static final KnownFields ACTIONS = new KnownFields(Set.of(STATE_DELTA),
			Map.of(STATE, meant(STATE_DELTA), REMOVE_KEYS, REMOVAL), false);

	public static final KnownFields FORK = new KnownFields(DetailsFields.and(SESSION_ID, AT_SEQ, BEFORE_INVOCATION_ID),
			Map.of("id", meant(SESSION_ID), "seq", meant(AT_SEQ), INVOCATION_ID, meant(BEFORE_INVOCATION_ID),
					LAST_UPDATE_TIME, PARAMETER),
			true);

	public static final KnownFields REWIND = new KnownFields(
			Set.of(BEFORE_INVOCATION_ID, BEFORE_SEQ, BEFORE_EVENT_ID, EVENT_ID),
			Map.of("id", meant(EVENT_ID), "rewindBeforeInvocationId", meant(BEFORE_INVOCATION_ID), INVOCATION_ID,
					meant(BEFORE_INVOCATION_ID), "seq", meant(BEFORE_SEQ), AT_SEQ, meant(BEFORE_SEQ), LAST_UPDATE_TIME,
					PARAMETER),
			true);

	public static final KnownFields GET_EVENTS = new KnownFields(Set.of(IDS),
			Map.of("id", meant(IDS), EVENT_ID, meant(IDS), "eventIds", meant(IDS), EVENTS, meant(IDS)), true);

	public static final KnownFields TEMPLATE = new KnownFields(Set.of("template"), Map.of(), true);

	public static final KnownFields SEARCH = new KnownFields(
			Set.of("q", "mode", SESSION_ID, "exceptSessionId", "author", "from", "until", "minScore", "limit",
					"pageToken", "around", "facts"),
			Map.of("query", meant("q"), "text", meant("q"), "top", meant("limit")), true);

	public static final KnownFields MEMORY = new KnownFields(Set.of(SESSION_ID), Map.of("id", meant(SESSION_ID)),
			false);

	public static final KnownFields FACT = new KnownFields(
			Set.of("id", "text", "content", "author", "timestamp", "metadata", DetailsFields.TTL),
			Map.of("fact", meant("text"), "customMetadata", meant("metadata"), "memoryId", meant("id")), true);

	public static final KnownFields FACT_CHANGE = new KnownFields(
			Set.of("text", "content", "author", "timestamp", "metadata", DetailsFields.TTL),
			Map.of("fact", meant("text"), "customMetadata", meant("metadata")), true);

	public static final KnownFields SAVE_ARTIFACT = new KnownFields(Set.of("filename", "artifact", "customMetadata"),
			Map.of("name", meant("filename"), "part", meant("artifact")), false);

	/** The fields of a part, and of the data in it. */
	public static final KnownFields ARTIFACT_PART = new KnownFields(
			Set.of(EventFields.INLINE_DATA, EventFields.FILE_DATA, EventFields.TEXT, EventFields.DATA,
					EventFields.FILE_URI, EventFields.MIME_TYPE, "displayName"),
			Map.of(), false);

	public static final KnownFields ACQUIRE = new KnownFields(Set.of(HOLDER, DetailsFields.TTL, EXCLUSIVE),
			Map.of("lease", "is no field here, but the header " + ApiHeaders.LEASE), true);

	/**
	 * The fields of all bodies except events. Callers may send them as query parameters
	 * by mistake.
	 */
	static final Set<String> FIELDS = Stream.of(CREATE, UPDATE, FORK, REWIND, GET_EVENTS, TEMPLATE, ACQUIRE)
		.map(KnownFields::known)
		.flatMap(Set::stream)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * Checks the names of a body.
	 * @return the body
	 * @throws JsonException.InvalidShape with a hint, if a name is refused
	 */
	public JsonObject check(JsonObject body) {
		return check(body, "");
	}

	/** Checks the names of a body and appends {@code more} to each hint. */
	JsonObject check(JsonObject body, String more) {
		for (String name : body.members().keySet()) {
			String camelCase = FieldNames.toCamelCase(name);
			String hint = this.misplaced.get(camelCase);
			if (hint == null && !this.known.contains(camelCase)) {
				hint = FieldNames.meant(name, this.known).map(KnownFields::meant).orElse(unknown());
			}
			if (hint != null) {
				throw new JsonException.InvalidShape(body.pathOf(name), hint + more);
			}
		}
		return body;
	}

	private @Nullable String unknown() {
		return this.complete ? "is no field here; the body may have " + String.join(", ", new TreeSet<>(this.known))
				: null;
	}

	/**
	 * Checks the names of a body and returns it with its known fields in camelCase.
	 * @param more the text at the end of each hint
	 * @throws JsonException.InvalidShape if a name is refused, or if a field appears in
	 * both spellings
	 */
	public JsonObject read(JsonObject body, String more) {
		return check(body, more).renamed(FieldNames.bySnakeCase(this.known.toArray(String[]::new)));
	}

	/**
	 * Returns the known name that matches a name in any spelling, or the name itself if
	 * none matches.
	 */
	public String nearest(String name) {
		return this.known.contains(name) ? name : FieldNames.meant(name, this.known).orElse(name);
	}

	/** Checks the names of an event and of its actions, and returns the event. */
	public static JsonObject checkEvent(JsonObject event) {
		EVENT.check(event);
		JsonText actions = event.get("actions");
		if (actions != null && actions.isObject()) {
			ACTIONS.check(Objects.requireNonNull(event.object("actions")));
		}
		return event;
	}

	private static String meant(String name) {
		return "is no field here; did you mean " + name + "?";
	}

}
