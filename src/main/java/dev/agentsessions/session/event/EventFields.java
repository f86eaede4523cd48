package dev.agentsessions.session.event;

import static dev.agentsessions.json.JsonShape.ANY;
import static dev.agentsessions.json.JsonShape.FLAG;
import static dev.agentsessions.json.JsonShape.NUMBER;
import static dev.agentsessions.json.JsonShape.OBJECT;
import static dev.agentsessions.json.JsonShape.OBJECT_OR_ARRAY;
import static dev.agentsessions.json.JsonShape.STRING;
import static dev.agentsessions.json.JsonShape.WHOLE_NUMBER;
import static dev.agentsessions.json.JsonShape.arrayOf;
import static dev.agentsessions.json.JsonShape.mapOf;

import java.time.Instant;
import java.util.Map;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonShape;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;

/**
 * The fields of an event that the ADKs know. They are also accepted in snake_case, and
 * returned in camelCase. Their types are checked, because a client that cannot read one
 * event cannot read its session. Everything else in an event belongs to its sender.
 * Source: the event models of ADK Python 2.13, Java 1.8, Go 2.2, Rust 2.3 and TypeScript
 * 2.0.
 */
public final class EventFields {

	public static final String ID = "id";

	public static final String INVOCATION_ID = "invocationId";

	public static final String AUTHOR = "author";

	public static final String TIMESTAMP = "timestamp";

	static final String PARTIAL = "partial";

	public static final String ACTIONS = "actions";

	public static final String STATE_DELTA = "stateDelta";

	public static final String REWIND = "rewindBeforeInvocationId";

	static final String COMPACTION = "compaction";

	static final String LONG_RUNNING = "longRunningToolIds";

	static final String BRANCH = "branch";

	static final String ISOLATION_SCOPE = "isolationScope";

	private static final JsonShape PART = OBJECT.with(STRING, "text")
		.with(FLAG, "thought")
		.with(OBJECT, "functionCall", "functionResponse", "inlineData", "fileData", "executableCode",
				"codeExecutionResult");

	private static final JsonShape CONTENT = OBJECT.with(STRING, "role").with(arrayOf(PART), "parts");

	private static final JsonShape ACTION = OBJECT.with(OBJECT, STATE_DELTA, "agentState", COMPACTION)
		.with(mapOf(WHOLE_NUMBER), "artifactDelta")
		.with(mapOf(OBJECT), "requestedAuthConfigs", "requestedToolConfirmations")
		.with(arrayOf(STRING), "deletedArtifactIds")
		.with(arrayOf(OBJECT), "renderUiWidgets")
		.with(STRING, "transferToAgent", "transferReason", REWIND)
		.with(FLAG, "skipSummarization", "escalate", "endOfAgent")
		.with(ANY, "setModelResponse", "toolConfirmation", "toolConfirmationDecision");

	/** The shape of an event except its times, which have several formats. */
	static final JsonShape EVENT = OBJECT
		.with(STRING, ID, INVOCATION_ID, AUTHOR, BRANCH, "turnCompleteReason", "finishReason", "errorCode",
				"errorMessage", "modelVersion", "liveSessionId", "interactionId", "environmentId", "interactionStatus",
				ISOLATION_SCOPE)
		.with(FLAG, PARTIAL, "turnComplete", "interrupted")
		.with(CONTENT, "content")
		.with(ACTION, ACTIONS)
		.with(arrayOf(STRING), LONG_RUNNING)
		.with(NUMBER, "avgLogprobs")
		.with(OBJECT_OR_ARRAY, "customMetadata")
		.with(OBJECT, "groundingMetadata", "usageMetadata", "citationMetadata", "logprobsResult", "inputTranscription",
				"outputTranscription", "liveSessionResumptionUpdate", "goAway", "voiceActivity", "cacheMetadata",
				"nodeInfo", "requestedInput")
		.with(ANY, TIMESTAMP, "llmRequest", "providerMetadata", "output");

	/** The camelCase names of the fields of an event, by both spellings. */
	static final Map<String, String> EVENT_NAMES = FieldNames.byAnyCase(EVENT.names());

	/** The camelCase names of the fields of {@code actions}, by both spellings. */
	static final Map<String, String> ACTION_NAMES = FieldNames.byAnyCase(ACTION.names());

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
	 * Returns the time that the sender of an event gave it, to the nanosecond. It does
	 * not depend on the seq of the event.
	 * @param body the parsed body of a stored event
	 */
	public static Instant timeOf(JsonObject body) {
		return Timestamps.ofSeconds(body.required(TIMESTAMP).text());
	}

}
