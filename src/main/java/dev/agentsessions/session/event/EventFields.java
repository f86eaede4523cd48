package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonNumbers;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;

/**
 * The names of fields of an event that the ADKs know and that code asks for, and contents
 * made of texts or parts. Names are also accepted in snake_case, and those of an event
 * and of its actions are returned in camelCase. {@link EventShapes} has all fields with
 * their types, which are checked, because a client that cannot read one event cannot read
 * its session. Everything else in an event belongs to its sender.
 */
public final class EventFields {

	public static final String ID = "id";

	public static final String INVOCATION_ID = "invocationId";

	public static final String AUTHOR = "author";

	/** The author of what a user says, and the role of its content. */
	public static final String USER = "user";

	public static final String TIMESTAMP = "timestamp";

	public static final String PARTIAL = "partial";

	public static final String ACTIONS = "actions";

	public static final String STATE_DELTA = "stateDelta";

	public static final String ARTIFACT_DELTA = "artifactDelta";

	public static final String REWIND = "rewindBeforeInvocationId";

	public static final String COMPACTION = "compaction";

	public static final String TRANSFER_TO_AGENT = "transferToAgent";

	public static final String LONG_RUNNING = "longRunningToolIds";

	public static final String BRANCH = "branch";

	public static final String ISOLATION_SCOPE = "isolationScope";

	public static final String ERROR_CODE = "errorCode";

	public static final String ERROR_MESSAGE = "errorMessage";

	public static final String CUSTOM_METADATA = "customMetadata";

	public static final String USAGE_METADATA = "usageMetadata";

	public static final String CONTENT = "content";

	public static final String ROLE = "role";

	public static final String PARTS = "parts";

	public static final String TEXT = "text";

	public static final String THOUGHT = "thought";

	public static final String FUNCTION_CALL = "functionCall";

	public static final String FUNCTION_RESPONSE = "functionResponse";

	/** Data in a part itself. */
	public static final String INLINE_DATA = "inlineData";

	/** Data that is stored elsewhere. */
	public static final String FILE_DATA = "fileData";

	public static final String MIME_TYPE = "mimeType";

	public static final String DATA = "data";

	public static final String FILE_URI = "fileUri";

	/** The camelCase names of the fields of an event, by both spellings. */
	static final Map<String, String> EVENT_NAMES = FieldNames.byAnyCase(EventShapes.EVENT.names());

	/** The camelCase names of the fields of {@code actions}, by both spellings. */
	static final Map<String, String> ACTION_NAMES = FieldNames.byAnyCase(EventShapes.ACTIONS.names());

	/** The fields that ADK Python and TypeScript read in every event. */
	private static final JsonObject NO_ACTIONS = JsonObject.parse(
			"{\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}}");

	private EventFields() {
	}

	/**
	 * Returns the content with these parts.
	 * @param role its role; {@code null} for none
	 * @param parts the parts, in their order
	 */
	public static JsonText content(@Nullable String role, Stream<JsonObject> parts) {
		JsonObject content = new JsonObject(CONTENT, (role != null) ? Map.of(ROLE, JsonStrings.of(role)) : Map.of());
		return content.with(PARTS, JsonText.of(parts.map(JsonObject::asJson).toList())).toJson();
	}

	/**
	 * Returns the content that says these texts.
	 * @param role its role; {@code null} for none
	 */
	public static JsonText said(@Nullable String role, List<String> texts) {
		return content(role, texts.stream().map((text) -> JsonObject.ofTexts(Map.of(TEXT, text))));
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
