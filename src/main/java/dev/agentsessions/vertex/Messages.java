package dev.agentsessions.vertex;

import static dev.agentsessions.vertex.Values.BASE64;
import static dev.agentsessions.vertex.Values.CONFIGURATIONS;
import static dev.agentsessions.vertex.Values.PLAIN;
import static dev.agentsessions.vertex.Values.TEXT;
import static dev.agentsessions.vertex.Values.VERSIONS;
import static dev.agentsessions.vertex.Values.list;
import static dev.agentsessions.vertex.Values.message;

/**
 * The messages of the protocol. Source: {@code session.proto}, {@code content.proto} and
 * {@code tool.proto} of {@code google.cloud.aiplatform.v1beta1}, and what the ADKs send
 * beyond them.
 */
final class Messages {

	/** A session. */
	static final Message SESSION = Message
		.of("name", "userId", "sessionState", "displayName", "labels", "ttl", "expireTime", "createTime", "updateTime")
		.with("expireTime", Values.TIME);

	private static final Message BLOB = Message.of("mimeType", "data", "displayName").with("data", BASE64);

	private static final Message FILE = Message.of("mimeType", "fileUri", "displayName");

	private static final Message FUNCTION_CALL = Message.of("id", "name", "args", "partialArgs", "willContinue")
		.with("partialArgs", PLAIN);

	private static final Message FUNCTION_RESPONSE_PART = Message.of("inlineData", "fileData")
		.with("inlineData", message(BLOB))
		.with("fileData", message(FILE));

	private static final Message FUNCTION_RESPONSE = Message
		.of("id", "name", "response", "parts", "willContinue", "scheduling")
		.with("parts", list(FUNCTION_RESPONSE_PART));

	private static final Message PART = Message
		.of("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode",
				"codeExecutionResult", "thought", "thoughtSignature", "videoMetadata", "mediaResolution",
				"partMetadata")
		.with("inlineData", message(BLOB))
		.with("fileData", message(FILE))
		.with("functionCall", message(FUNCTION_CALL))
		.with("functionResponse", message(FUNCTION_RESPONSE))
		.with("executableCode", PLAIN)
		.with("codeExecutionResult", PLAIN)
		.with("thoughtSignature", BASE64)
		.with("videoMetadata", PLAIN)
		.with("mediaResolution", PLAIN);

	/** What was said. */
	static final Message CONTENT = Message.of("role", "parts").with("parts", list(PART));

	/** A piece of history summed up. */
	static final Message COMPACTION = Message.of("startTimestamp", "endTimestamp", "compactedContent")
		.with("compactedContent", message(CONTENT));

	/** What an event does. */
	static final Message ACTIONS = Message
		.of("skipSummarization", "stateDelta", "artifactDelta", "escalate", "requestedAuthConfigs", "transferAgent",
				"transferToAgent")
		.with("artifactDelta", VERSIONS)
		.with("requestedAuthConfigs", CONFIGURATIONS);

	/** What else is known of an event. */
	static final Message METADATA = Message
		.of("partial", "turnComplete", "interrupted", "branch", "longRunningToolIds", "groundingMetadata",
				"customMetadata", "inputTranscription", "outputTranscription", "usageMetadata")
		.with("groundingMetadata", PLAIN)
		.with("inputTranscription", PLAIN)
		.with("outputTranscription", PLAIN)
		.with("usageMetadata", PLAIN);

	/** An event. */
	static final Message EVENT = Message
		.of("name", "author", "invocationId", "timestamp", "content", "actions", "errorCode", "errorMessage",
				"eventMetadata", "rawEvent")
		.with("content", message(CONTENT))
		.with("actions", message(ACTIONS))
		.with("errorCode", TEXT)
		.with("errorMessage", TEXT)
		.with("eventMetadata", message(METADATA));

	private Messages() {
	}

}
