package dev.agentsessions.session.event;

import static dev.agentsessions.json.JsonShape.ANY;
import static dev.agentsessions.json.JsonShape.BASE64;
import static dev.agentsessions.json.JsonShape.FLAG;
import static dev.agentsessions.json.JsonShape.NUMBER;
import static dev.agentsessions.json.JsonShape.OBJECT;
import static dev.agentsessions.json.JsonShape.OBJECT_OR_ARRAY;
import static dev.agentsessions.json.JsonShape.STRING;
import static dev.agentsessions.json.JsonShape.WHOLE_NUMBER;
import static dev.agentsessions.json.JsonShape.anyOf;
import static dev.agentsessions.json.JsonShape.arrayOf;
import static dev.agentsessions.json.JsonShape.mapOf;

import dev.agentsessions.json.JsonShape;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The types of the fields that the ADKs know in an event, to the leaves. Fields that are
 * not here may be anything; where the ADKs differ, a field may be what any of them
 * writes. Source: the event models of ADK Python 2.13 with google-genai 1.x, Java 1.8, Go
 * 2.2, Rust 2.3 and TypeScript 2.0. A conformance program compares this table with the
 * models of ADK Python. A dialect whose messages have some of these fields takes their
 * types from here.
 */
public final class EventShapes {

	private static final JsonShape TIME = anyOf("must be a number of seconds or a time in RFC 3339", NUMBER, STRING)
		.where(EventShapes::isTime);

	/** JSON of Protocol Buffers has integers of 64 bits as strings. */
	private static final JsonShape LONG_NUMBER = anyOf("must be a whole number", WHOLE_NUMBER, STRING)
		.where((text) -> text.matches("-?[0-9]{1,19}"));

	private static final JsonShape NULL_VALUE = anyOf("must be the string NULL_VALUE", STRING)
		.where("NULL_VALUE"::equals);

	private static final JsonShape ROUTE = anyOf("must be a string, a whole number, true or false, or an array of them",
			STRING, WHOLE_NUMBER, FLAG,
			arrayOf(anyOf("must be a string, a whole number, true or false", STRING, WHOLE_NUMBER, FLAG)));

	private static final JsonShape DATA = OBJECT
		.with(STRING, EventFields.MIME_TYPE, "displayName", EventFields.FILE_URI)
		.with(BASE64, EventFields.DATA);

	private static final JsonShape TRANSCRIPTION = OBJECT
		.with(STRING, "text", "languageCode", "speakerLabel", "startOffset", "endOffset")
		.with(FLAG, "finished")
		.with(arrayOf(OBJECT.with(STRING, "word", "startOffset", "endOffset")), "words");

	private static final JsonShape CALL = OBJECT.with(STRING, "id", "name")
		.with(OBJECT, "args")
		.with(FLAG, "willContinue")
		.with(arrayOf(OBJECT.with(STRING, "jsonPath", "stringValue")
			.with(NULL_VALUE, "nullValue")
			.with(FLAG, "boolValue", "willContinue")
			.with(NUMBER, "numberValue")), "partialArgs");

	/** ADK Rust writes a response of any type. */
	private static final JsonShape ANSWER = OBJECT.with(STRING, "id", "name", "scheduling")
		.with(FLAG, "willContinue")
		.with(arrayOf(
				OBJECT.with(DATA, EventFields.INLINE_DATA, EventFields.FILE_DATA).with(STRING, "mediaProcessing")),
				EventFields.PARTS);

	private static final JsonShape PART = OBJECT.with(STRING, EventFields.TEXT, "mediaProcessing")
		.with(FLAG, EventFields.THOUGHT)
		.with(BASE64, "thoughtSignature")
		.with(CALL, EventFields.FUNCTION_CALL)
		.with(ANSWER, EventFields.FUNCTION_RESPONSE)
		.with(DATA, EventFields.INLINE_DATA, EventFields.FILE_DATA)
		.with(OBJECT.with(STRING, "code", "language", "id"), "executableCode")
		.with(OBJECT.with(STRING, "outcome", "output", "id"), "codeExecutionResult")
		.with(OBJECT.with(STRING, "startOffset", "endOffset").with(NUMBER, "fps"), "videoMetadata")
		.with(OBJECT.with(STRING, "id", "toolType").with(OBJECT, "args"), "toolCall")
		.with(OBJECT.with(STRING, "id", "toolType").with(OBJECT, "response"), "toolResponse")
		.with(OBJECT.with(STRING, "level").with(WHOLE_NUMBER, "numTokens"), "mediaResolution")
		.with(OBJECT, "partMetadata")
		.with(TRANSCRIPTION, "audioTranscription")
		.with(OBJECT.with(STRING, "speaker", "style"), "speechMetadata");

	private static final JsonShape CONTENT = OBJECT.with(STRING, EventFields.ROLE)
		.with(arrayOf(PART), EventFields.PARTS);

	private static final JsonShape COMPACTION = OBJECT.with(TIME, "startTimestamp", "endTimestamp")
		.with(CONTENT, "compactedContent")
		.with(arrayOf(OBJECT.with(STRING, "invocationId").with(TIME, "timestamp")), "excludedEvents")
		.requiring("startTimestamp", "endTimestamp", "compactedContent");

	private static final JsonShape CONFIRMATION = OBJECT.with(STRING, "hint").with(FLAG, "confirmed");

	private static final JsonShape WIDGET = OBJECT.with(STRING, "id", "provider")
		.with(OBJECT, "payload")
		.requiring("id", "provider");

	/** The shape of {@code actions}. */
	public static final JsonShape ACTIONS = OBJECT.with(OBJECT, EventFields.STATE_DELTA, "agentState")
		.with(COMPACTION, EventFields.COMPACTION)
		.with(mapOf(WHOLE_NUMBER), EventFields.ARTIFACT_DELTA)
		.with(mapOf(OBJECT), "requestedAuthConfigs")
		.with(mapOf(CONFIRMATION), "requestedToolConfirmations")
		.with(arrayOf(STRING), "deletedArtifactIds")
		.with(arrayOf(WIDGET), "renderUiWidgets")
		.with(STRING, EventFields.TRANSFER_TO_AGENT, "transferReason", EventFields.REWIND)
		.with(FLAG, "skipSummarization", "escalate", "endOfAgent")
		.with(ANY, "setModelResponse", "toolConfirmation", "toolConfirmationDecision")
		.with(ROUTE, "route");

	private static final JsonShape SNIPPET = OBJECT
		.with(STRING, "flagContentUri", "googleMapsUri", "relativePublishTimeDescription", "review", "reviewId",
				"title")
		.with(OBJECT.with(STRING, "displayName", "photoUri", "uri"), "authorAttribution");

	private static final JsonShape MAPS = OBJECT.with(STRING, "placeId", "text", "title", "uri")
		.with(OBJECT.with(STRING, "flagContentUri").with(arrayOf(SNIPPET), "reviewSnippet", "reviewSnippets"),
				"placeAnswerSources")
		.with(OBJECT.with(WHOLE_NUMBER, "distanceMeters").with(STRING, "duration", "encodedPolyline"), "route");

	private static final JsonShape RETRIEVED = OBJECT
		.with(STRING, "documentName", "text", "title", "uri", "fileSearchStore", "mediaId")
		.with(WHOLE_NUMBER, "pageNumber")
		.with(OBJECT.with(STRING, "text", "chunkId", "fileId")
			.with(OBJECT.with(WHOLE_NUMBER, "firstPage", "lastPage"), "pageSpan"), "ragChunk")
		.with(arrayOf(OBJECT.with(STRING, "key", "stringValue")
			.with(NUMBER, "numericValue")
			.with(OBJECT.with(arrayOf(STRING), "values"), "stringListValue")), "customMetadata");

	private static final JsonShape GROUNDING = OBJECT
		.with(arrayOf(STRING), "imageSearchQueries", "webSearchQueries", "retrievalQueries")
		.with(arrayOf(OBJECT.with(OBJECT.with(STRING, "sourceUri", "imageUri", "title", "domain"), "image")
			.with(MAPS, "maps")
			.with(RETRIEVED, "retrievedContext")
			.with(OBJECT.with(STRING, "domain", "title", "uri"), "web")), "groundingChunks")
		.with(arrayOf(OBJECT.with(arrayOf(NUMBER), "confidenceScores")
			.with(arrayOf(WHOLE_NUMBER), "groundingChunkIndices", "renderedParts")
			.with(OBJECT.with(WHOLE_NUMBER, "startIndex", "endIndex", "partIndex").with(STRING, "text"), "segment")),
				"groundingSupports")
		.with(OBJECT.with(NUMBER, "googleSearchDynamicRetrievalScore"), "retrievalMetadata")
		.with(OBJECT.with(STRING, "renderedContent").with(BASE64, "sdkBlob"), "searchEntryPoint")
		.with(STRING, "googleMapsWidgetContextToken")
		.with(arrayOf(OBJECT.with(STRING, "flagContentUri", "sourceId")), "sourceFlaggingUris");

	private static final JsonShape TOKENS_BY_MODALITY = arrayOf(
			OBJECT.with(STRING, "modality").with(WHOLE_NUMBER, "tokenCount"));

	private static final JsonShape USAGE = OBJECT
		.with(WHOLE_NUMBER, "cachedContentTokenCount", "candidatesTokenCount", "promptTokenCount", "thoughtsTokenCount",
				"toolUsePromptTokenCount", "totalTokenCount")
		.with(TOKENS_BY_MODALITY, "cacheTokensDetails", "candidatesTokensDetails", "promptTokensDetails",
				"toolUsePromptTokensDetails")
		.with(STRING, "trafficType");

	private static final JsonShape DATE = OBJECT.with(WHOLE_NUMBER, "day", "month", "year");

	private static final JsonShape CITATIONS = OBJECT.with(arrayOf(OBJECT.with(WHOLE_NUMBER, "startIndex", "endIndex")
		.with(STRING, "license", "title", "uri")
		.with(DATE, "publicationDate")), "citations");

	private static final JsonShape CANDIDATE = OBJECT.with(NUMBER, "logProbability")
		.with(STRING, "token")
		.with(WHOLE_NUMBER, "tokenId");

	private static final JsonShape LOG_PROBABILITIES = OBJECT.with(arrayOf(CANDIDATE), "chosenCandidates")
		.with(arrayOf(OBJECT.with(arrayOf(CANDIDATE), "candidates")), "topCandidates")
		.with(NUMBER, "logProbabilitySum");

	private static final JsonShape CACHE = OBJECT.with(STRING, "cacheName", "fingerprint")
		.with(NUMBER, "expireTime", "createdAt")
		.with(WHOLE_NUMBER, "invocationsUsed", "contentsCount")
		.requiring("fingerprint", "contentsCount");

	/** The shape of an event except its times, which have several formats. */
	public static final JsonShape EVENT = OBJECT
		.with(STRING, EventFields.ID, EventFields.INVOCATION_ID, EventFields.AUTHOR, EventFields.BRANCH,
				"turnCompleteReason", "finishReason", EventFields.ERROR_CODE, EventFields.ERROR_MESSAGE, "modelVersion",
				"liveSessionId", "interactionId", "environmentId", "interactionStatus", EventFields.ISOLATION_SCOPE)
		.with(FLAG, EventFields.PARTIAL, "turnComplete", "interrupted")
		.with(CONTENT, EventFields.CONTENT)
		.with(ACTIONS, EventFields.ACTIONS)
		.with(arrayOf(STRING), EventFields.LONG_RUNNING)
		.with(NUMBER, "avgLogprobs")
		.with(OBJECT_OR_ARRAY, EventFields.CUSTOM_METADATA)
		.with(GROUNDING, "groundingMetadata")
		.with(USAGE, EventFields.USAGE_METADATA)
		.with(CITATIONS, "citationMetadata")
		.with(LOG_PROBABILITIES, "logprobsResult")
		.with(TRANSCRIPTION, "inputTranscription", "outputTranscription")
		.with(OBJECT.with(STRING, "newHandle")
			.with(FLAG, "resumable")
			.with(LONG_NUMBER, "lastConsumedClientMessageIndex"), "liveSessionResumptionUpdate")
		.with(OBJECT.with(STRING, "timeLeft"), "goAway")
		.with(OBJECT.with(STRING, "voiceActivityType", "audioOffset"), "voiceActivity")
		.with(CACHE, "cacheMetadata")
		.with(OBJECT.with(STRING, "path").with(arrayOf(STRING), "outputFor").with(FLAG, "messageAsOutput"), "nodeInfo")
		.with(OBJECT, "requestedInput")
		.with(ANY, EventFields.TIMESTAMP, "llmRequest", "providerMetadata", "output");

	private EventShapes() {
	}

	private static boolean isTime(String text) {
		try {
			Timestamps.parse("", text);
			return true;
		}
		catch (SessionException.InvalidArgument ex) {
			return false;
		}
	}

}
