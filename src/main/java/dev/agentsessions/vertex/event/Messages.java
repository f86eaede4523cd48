package dev.agentsessions.vertex.event;

import static dev.agentsessions.vertex.event.FieldReaders.BASE64;
import static dev.agentsessions.vertex.event.FieldReaders.CONFIGURATIONS;
import static dev.agentsessions.vertex.event.FieldReaders.FLAG;
import static dev.agentsessions.vertex.event.FieldReaders.OBJECT;
import static dev.agentsessions.vertex.event.FieldReaders.PLAIN;
import static dev.agentsessions.vertex.event.FieldReaders.PLAIN_OBJECT;
import static dev.agentsessions.vertex.event.FieldReaders.SCALAR_AS_STRING;
import static dev.agentsessions.vertex.event.FieldReaders.STRING;
import static dev.agentsessions.vertex.event.FieldReaders.STRINGS;
import static dev.agentsessions.vertex.event.FieldReaders.VERSIONS;

/**
 * The messages of the protocol. Source: {@code session.proto}, {@code content.proto} and
 * {@code tool.proto} of {@code google.cloud.aiplatform.v1beta1}, and further fields that
 * the ADKs send.
 */
final class Messages {

	/** A session. */
	static final Message SESSION = Message
		.of("name", "userId", "sessionState", "displayName", "labels", "ttl", "expireTime", "createTime", "updateTime")
		.with("userId", STRING)
		.with("displayName", STRING)
		.with("expireTime", FieldReaders.TIME);

	/** Binary data. */
	static final Message BLOB = Message.of("mimeType", "data", "displayName")
		.with("mimeType", STRING)
		.with("data", BASE64)
		.with("displayName", STRING);

	/** Data that is stored elsewhere. */
	static final Message FILE = Message.of("mimeType", "fileUri", "displayName")
		.with("mimeType", STRING)
		.with("fileUri", STRING)
		.with("displayName", STRING);

	/** A function call of a model. */
	static final Message FUNCTION_CALL = Message.of("id", "name", "args", "partialArgs", "willContinue")
		.with("id", STRING)
		.with("name", STRING)
		.with("partialArgs", PLAIN)
		.with("willContinue", FLAG);

	private static final Message FUNCTION_RESPONSE_PART = Message.of("inlineData", "fileData")
		.with("inlineData", BLOB)
		.with("fileData", FILE);

	/** The answer to a function call. */
	static final Message FUNCTION_RESPONSE = Message.of("id", "name", "response", "parts", "willContinue", "scheduling")
		.with("id", STRING)
		.with("name", STRING)
		.with("parts", FUNCTION_RESPONSE_PART.list())
		.with("willContinue", FLAG);

	private static final Message PART = Message
		.of("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode",
				"codeExecutionResult", "thought", "thoughtSignature", "videoMetadata", "mediaResolution",
				"partMetadata")
		.with("text", STRING)
		.with("inlineData", BLOB)
		.with("fileData", FILE)
		.with("functionCall", FUNCTION_CALL)
		.with("functionResponse", FUNCTION_RESPONSE)
		.with("executableCode", PLAIN_OBJECT)
		.with("codeExecutionResult", PLAIN_OBJECT)
		.with("thought", FLAG)
		.with("thoughtSignature", BASE64)
		.with("videoMetadata", PLAIN_OBJECT)
		.with("mediaResolution", PLAIN);

	/** The content of an event. */
	static final Message CONTENT = Message.of("role", "parts").with("role", STRING).with("parts", PART.list());

	/** A summary of earlier events. */
	static final Message COMPACTION = Message.of("startTimestamp", "endTimestamp", "compactedContent")
		.with("compactedContent", CONTENT);

	/** The actions of an event. */
	static final Message ACTIONS = Message
		.of("skipSummarization", "stateDelta", "artifactDelta", "escalate", "requestedAuthConfigs", "transferAgent",
				"transferToAgent")
		.with("skipSummarization", FLAG)
		.with("stateDelta", OBJECT)
		.with("artifactDelta", VERSIONS)
		.with("escalate", FLAG)
		.with("requestedAuthConfigs", CONFIGURATIONS)
		.with("transferAgent", STRING)
		.with("transferToAgent", STRING);

	/** The metadata of an event. */
	static final Message METADATA = Message
		.of("partial", "turnComplete", "interrupted", "branch", "longRunningToolIds", "groundingMetadata",
				"customMetadata", "inputTranscription", "outputTranscription", "usageMetadata")
		.with("partial", FLAG)
		.with("turnComplete", FLAG)
		.with("interrupted", FLAG)
		.with("branch", STRING)
		.with("longRunningToolIds", STRINGS)
		.with("groundingMetadata", PLAIN_OBJECT)
		.with("customMetadata", OBJECT)
		.with("inputTranscription", PLAIN_OBJECT)
		.with("outputTranscription", PLAIN_OBJECT)
		.with("usageMetadata", PLAIN_OBJECT);

	/** An event. Its actions are read separately. */
	static final Message EVENT = Message
		.of("name", "author", "invocationId", "timestamp", "content", "actions", "errorCode", "errorMessage",
				"eventMetadata", "rawEvent")
		.with("content", CONTENT)
		.with("actions", OBJECT)
		.with("errorCode", SCALAR_AS_STRING)
		.with("errorMessage", SCALAR_AS_STRING)
		.with("eventMetadata", METADATA)
		.with("rawEvent", OBJECT);

	private Messages() {
	}

}
