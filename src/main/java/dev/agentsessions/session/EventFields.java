package dev.agentsessions.session;

import dev.agentsessions.json.FieldNames;
import java.util.Map;

/**
 * The field names of an event that the ADKs know. They are accepted in snake_case, too,
 * and answered in camelCase; everything else in an event belongs to its sender. Source:
 * the event models of ADK Python 2.6, Java, Go, Rust and TypeScript 2.0.
 */
final class EventFields {

	static final String ID = "id";

	static final String INVOCATION_ID = "invocationId";

	static final String AUTHOR = "author";

	static final String TIMESTAMP = "timestamp";

	static final String PARTIAL = "partial";

	static final String ACTIONS = "actions";

	static final String STATE_DELTA = "stateDelta";

	/** camelCase by snake_case, on the first level of an event. */
	static final Map<String, String> OF_EVENT = FieldNames.bySnakeCase(INVOCATION_ID, "longRunningToolIds",
			"turnComplete", "turnCompleteReason", "finishReason", "errorCode", "errorMessage", "groundingMetadata",
			"usageMetadata", "citationMetadata", "customMetadata", "modelVersion", "avgLogprobs", "logprobsResult",
			"inputTranscription", "outputTranscription", "liveSessionResumptionUpdate", "liveSessionId", "goAway",
			"voiceActivity", "cacheMetadata", "interactionId", "environmentId", "interactionStatus", "nodeInfo",
			"isolationScope", "requestedInput", "llmRequest", "providerMetadata");

	/** camelCase by snake_case, inside {@code actions}. */
	static final Map<String, String> OF_ACTIONS = FieldNames.bySnakeCase(STATE_DELTA, "artifactDelta",
			"deletedArtifactIds", "transferToAgent", "skipSummarization", "requestedAuthConfigs",
			"requestedToolConfirmations", "endOfAgent", "agentState", "rewindBeforeInvocationId", "renderUiWidgets",
			"setModelResponse", "toolConfirmation", "toolConfirmationDecision");

	private EventFields() {
	}

}
