package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonNumbers;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;

/**
 * The fields of an event that the ADKs know. They are also accepted in snake_case, and
 * returned in camelCase. {@link EventShapes} has their types, which are checked, because
 * a client that cannot read one event cannot read its session. Everything else in an
 * event belongs to its sender.
 */
public final class EventFields {

	public static final String ID = "id";

	public static final String INVOCATION_ID = "invocationId";

	public static final String AUTHOR = "author";

	public static final String TIMESTAMP = "timestamp";

	static final String PARTIAL = "partial";

	public static final String ACTIONS = "actions";

	public static final String STATE_DELTA = "stateDelta";

	public static final String ARTIFACT_DELTA = "artifactDelta";

	public static final String REWIND = "rewindBeforeInvocationId";

	static final String COMPACTION = "compaction";

	static final String LONG_RUNNING = "longRunningToolIds";

	static final String BRANCH = "branch";

	static final String ISOLATION_SCOPE = "isolationScope";

	/** The camelCase names of the fields of an event, by both spellings. */
	static final Map<String, String> EVENT_NAMES = FieldNames.byAnyCase(EventShapes.EVENT.names());

	/** The camelCase names of the fields of {@code actions}, by both spellings. */
	static final Map<String, String> ACTION_NAMES = FieldNames.byAnyCase(EventShapes.ACTIONS.names());

	/** The fields that ADK Python and TypeScript read in every event. */
	private static final JsonObject NO_ACTIONS = JsonObject.parse(
			"{\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}}");

	private EventFields() {
	}

	/** Returns the actions of an event that does nothing. */
	public static JsonObject noActions() {
		return NO_ACTIONS;
	}

	/**
	 * Returns the actions of an event, with names in camelCase. An event without actions
	 * has empty ones. ADK Go sends null where ADK Python accepts only an object, so null
	 * becomes an empty object.
	 */
	public static JsonObject actions(JsonObject event) {
		JsonObject sent = event.object(ACTIONS);
		if (sent == null) {
			return NO_ACTIONS;
		}
		JsonObject actions = sent.renamed(ACTION_NAMES);
		for (Map.Entry<String, JsonText> empty : NO_ACTIONS.members().entrySet()) {
			if (JsonText.NULL.equals(actions.members().get(empty.getKey()))) {
				actions = actions.with(empty.getKey(), empty.getValue());
			}
		}
		return actions;
	}

	/**
	 * Returns actions whose versions of artifacts are written in digits only: some
	 * clients cannot read {@code 1.0} as a version.
	 */
	static JsonObject withPlainVersions(JsonObject actions) {
		JsonObject versions = actions.object(ARTIFACT_DELTA);
		if (versions == null || versions.members().isEmpty()) {
			return actions;
		}
		Map<String, JsonText> plain = new LinkedHashMap<>(versions.members());
		plain.replaceAll((name, version) -> {
			Long whole = JsonNumbers.whole(version.text());
			return (whole != null) ? new JsonText(whole.toString()) : version;
		});
		return actions.with(ARTIFACT_DELTA, new JsonObject("", plain).toJson());
	}

	/**
	 * Returns the time that the sender of an event gave it, to the nanosecond. It does
	 * not depend on the seq of the event.
	 * @param body the parsed body of a stored event
	 */
	public static Instant timeOf(JsonObject body) {
		return Timestamps.ofSeconds(body.required(TIMESTAMP).text());
	}

}
