package dev.agentsessions.vertex.event;

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
import dev.agentsessions.json.JsonShape;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventShapes;
import dev.agentsessions.vertex.event.FieldReaders.FieldReader;

/**
 * The messages of the protocol: which fields of an event they have, which fields are
 * their own, and which values they have in another form. All other types follow from
 * {@link EventShapes}. Source: {@code session.proto}, {@code content.proto} and
 * {@code tool.proto} of {@code google.cloud.aiplatform.v1beta1}, and further fields that
 * the ADKs send.
 */
final class Messages {

	/** What the protocol calls {@link EventFields#TRANSFER_TO_AGENT}. */
	static final String TRANSFER_AGENT = "transferAgent";

	/** The field with {@link #METADATA}. */
	static final String EVENT_METADATA = "eventMetadata";

	private static final String DISPLAY_NAME = "displayName";

	/** A session. */
	static final Message SESSION = Message
		.of(JsonShape.OBJECT, "name", "userId", "sessionState", DISPLAY_NAME, "labels", "ttl", "expireTime",
				"createTime", "updateTime")
		.with("userId", FieldReaders.STRING)
		.with(DISPLAY_NAME, FieldReaders.STRING)
		.with("expireTime", FieldReaders.TIME);

	private static final JsonShape PART_SHAPE = EventShapes.EVENT.at(EventFields.CONTENT, EventFields.PARTS);

	private static final JsonShape RESPONSE_SHAPE = PART_SHAPE.at(EventFields.FUNCTION_RESPONSE);

	/** Binary data. */
	static final Message BLOB = Message.of(PART_SHAPE.at(EventFields.INLINE_DATA), EventFields.MIME_TYPE,
			EventFields.DATA, DISPLAY_NAME);

	/** Data that is stored elsewhere. */
	static final Message FILE = Message.of(PART_SHAPE.at(EventFields.FILE_DATA), EventFields.MIME_TYPE,
			EventFields.FILE_URI, DISPLAY_NAME);

	/** A function call of a model. */
	static final Message FUNCTION_CALL = Message.of(PART_SHAPE.at(EventFields.FUNCTION_CALL), "id", "name", "args",
			"partialArgs", "willContinue");

	/** The answer to a function call. */
	static final Message FUNCTION_RESPONSE = Message
		.of(RESPONSE_SHAPE, "id", "name", "response", EventFields.PARTS, "willContinue", "scheduling")
		.with(EventFields.PARTS,
				Message.of(RESPONSE_SHAPE.at(EventFields.PARTS), EventFields.INLINE_DATA, EventFields.FILE_DATA)
					.with(EventFields.INLINE_DATA, BLOB)
					.with(EventFields.FILE_DATA, FILE));

	private static final Message PART = Message
		.of(PART_SHAPE, EventFields.TEXT, EventFields.INLINE_DATA, EventFields.FILE_DATA, EventFields.FUNCTION_CALL,
				EventFields.FUNCTION_RESPONSE, "executableCode", "codeExecutionResult", EventFields.THOUGHT,
				"thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata")
		.with(EventFields.INLINE_DATA, BLOB)
		.with(EventFields.FILE_DATA, FILE)
		.with(EventFields.FUNCTION_CALL, FUNCTION_CALL)
		.with(EventFields.FUNCTION_RESPONSE, FUNCTION_RESPONSE);

	private static final Message CONTENT = Message
		.of(EventShapes.EVENT.at(EventFields.CONTENT), EventFields.ROLE, EventFields.PARTS)
		.with(EventFields.PARTS, PART);

	/** A summary of earlier events. */
	static final Message COMPACTION = Message
		.of(EventShapes.ACTIONS.at(EventFields.COMPACTION), "startTimestamp", "endTimestamp", "compactedContent")
		.with("compactedContent", CONTENT);

	/** The actions of an event. */
	static final Message ACTIONS = Message
		.of(EventShapes.ACTIONS, "skipSummarization", EventFields.STATE_DELTA, EventFields.ARTIFACT_DELTA, "escalate",
				"requestedAuthConfigs", TRANSFER_AGENT, EventFields.TRANSFER_TO_AGENT)
		.with(EventFields.ARTIFACT_DELTA, FieldReaders.VERSIONS)
		.with("requestedAuthConfigs", FieldReaders.CONFIGURATIONS)
		.with(TRANSFER_AGENT, FieldReaders.STRING);

	/**
	 * The metadata of an event: the fields that the protocol has, and those that are read
	 * in a form of their own. A new field of ADK needs no line here: {@link EventShapes}
	 * alone makes it known, as one that the protocol does not have.
	 */
	static final Message METADATA = Message
		.of(EventShapes.EVENT, EventFields.PARTIAL, "turnComplete", "interrupted", EventFields.BRANCH,
				EventFields.LONG_RUNNING, "groundingMetadata", EventFields.CUSTOM_METADATA, "inputTranscription",
				"outputTranscription", EventFields.USAGE_METADATA)
		.with(EventFields.CUSTOM_METADATA, FieldReaders.OBJECT);

	/** The metadata that the protocol itself has. */
	static final Set<String> METADATA_OF_PROTOCOL = METADATA.names(EventFields.USAGE_METADATA);

	/** An event. Its actions are read separately. */
	static final Message EVENT = Message
		.of(EventShapes.EVENT, "name", EventFields.AUTHOR, EventFields.INVOCATION_ID, EventFields.TIMESTAMP,
				EventFields.CONTENT, EventFields.ACTIONS, EventFields.ERROR_CODE, EventFields.ERROR_MESSAGE,
				EVENT_METADATA, RawEvent.FIELD)
		.with(EventFields.CONTENT, CONTENT)
		.with(EventFields.ACTIONS, FieldReaders.OBJECT)
		.with(EventFields.ERROR_CODE, FieldReaders.SCALAR_AS_STRING)
		.with(EventFields.ERROR_MESSAGE, FieldReaders.SCALAR_AS_STRING)
		.with(EVENT_METADATA, METADATA)
		.with(RawEvent.FIELD, FieldReaders.OBJECT);

	private Messages() {
	}

	/**
	 * The known fields of a message of the protocol. They are read in camelCase and in
	 * snake_case, and null counts as absent. A field of the wrong type is rejected in a
	 * request, because some client could not read it and would fail for the whole
	 * session. Unknown fields stay as sent.
	 */
	static final class Message implements FieldReader {

		private final JsonShape shape;

		private final Map<String, String> names;

		private final Map<String, FieldReader> readers = new HashMap<>();

		private Message(JsonShape shape, String... names) {
			this.shape = shape;
			this.names = FieldNames.bySnakeCase(names);
		}

		/**
		 * Returns a message with these fields.
		 * @param shape has the types of the fields
		 * @param names their names in camelCase
		 */
		static Message of(JsonShape shape, String... names) {
			Message message = new Message(shape, names);
			List.of(names).forEach((name) -> message.with(name, FieldReaders.of(shape.member(name))));
			return message;
		}

		/** Returns the names of the fields in camelCase, except some. */
		Set<String> names(String... without) {
			Set<String> rest = new HashSet<>(this.names.values());
			List.of(without).forEach(rest::remove);
			return rest;
		}

		/** Sets how the values of a field are read, and returns this message. */
		Message with(String name, FieldReader reader) {
			this.readers.put(name, reader);
			return this;
		}

		/** Sets that the values of a field are messages, and returns this message. */
		Message with(String name, Message message) {
			return with(name,
					(this.shape.member(name).elements() != null) ? new Elements(message) : (FieldReader) message);
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
