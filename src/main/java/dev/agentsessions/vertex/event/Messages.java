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

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.vertex.event.FieldReaders.FieldReader;

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

	/**
	 * The known fields of a message of the protocol. They are read in camelCase and in
	 * snake_case, and null counts as absent. A field of the wrong type is rejected in a
	 * request, because some client could not read it and would fail for the whole
	 * session. Unknown fields stay as sent.
	 */
	static final class Message implements FieldReader {

		private final Map<String, String> names;

		private final Map<String, FieldReader> readers = new HashMap<>();

		private Message(Map<String, String> names) {
			this.names = names;
		}

		/** Returns a message with these fields, in camelCase. */
		static Message of(String... names) {
			return new Message(FieldNames.bySnakeCase(names));
		}

		/** Returns the names of the fields in camelCase, except some. */
		Set<String> names(String... without) {
			Set<String> rest = new HashSet<>(this.names.values());
			List.of(without).forEach(rest::remove);
			return rest;
		}

		/** Sets the type of a field, and returns this message. */
		Message with(String name, FieldReader reader) {
			this.readers.put(name, reader);
			return this;
		}

		/**
		 * Reads a message of a request, with the names in camelCase, which all clients
		 * read.
		 * @throws JsonException.InvalidShape if a field has the wrong type
		 */
		JsonObject read(JsonObject sent) {
			JsonObject fields = sent.renamed(this.names);
			Map<String, JsonText> members = new LinkedHashMap<>();
			for (String name : fields.members().keySet()) {
				if (fields.get(name) != null) {
					members.put(name, reader(name).read(fields, name));
				}
			}
			return new JsonObject(sent.path(), members);
		}

		/**
		 * Reads a stored message, without fields of the wrong type. Other dialects store
		 * messages as sent.
		 */
		JsonObject readable(JsonObject stored) {
			Map<String, JsonText> members = new LinkedHashMap<>();
			stored.members().forEach((spelling, value) -> {
				String name = this.names.getOrDefault(spelling, spelling);
				if (!value.isNull() && !members.containsKey(name)) {
					JsonObject field = new JsonObject(stored.path(), Map.of(name, value));
					readableIfAny(field, name).ifPresent((readable) -> members.put(name, readable));
				}
			});
			return new JsonObject(stored.path(), members);
		}

		private Optional<JsonText> readableIfAny(JsonObject parent, String name) {
			try {
				return Optional.of(reader(name).readable(parent, name));
			}
			catch (JsonException.InvalidShape | JsonException.Malformed ex) {
				return Optional.empty();
			}
		}

		private FieldReader reader(String name) {
			return this.readers.getOrDefault(name, JsonObject::required);
		}

		/** Returns a reader for an array of such messages. */
		FieldReader list() {
			return new Elements(this);
		}

		@Override
		public JsonText read(JsonObject parent, String name) {
			return read(parent.requiredObject(name)).asJson();
		}

		@Override
		public JsonText readable(JsonObject parent, String name) {
			return readable(parent.requiredObject(name)).asJson();
		}

		private record Elements(Message message) implements FieldReader {

			@Override
			public JsonText read(JsonObject parent, String name) {
				return FieldReaders.objects(parent.objects(name).stream().map(this.message::read));
			}

			@Override
			public JsonText readable(JsonObject parent, String name) {
				return FieldReaders.objects(parent.objects(name).stream().map(this.message::readable));
			}

		}

	}

}
