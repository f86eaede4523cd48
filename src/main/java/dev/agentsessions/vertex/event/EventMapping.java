package dev.agentsessions.vertex.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/**
 * Maps an event of the protocol to a stored event and back. A stored event has the form
 * of ADK: the fields of {@code eventMetadata} are on the first level, and
 * {@code transferAgent} is {@code transferToAgent}. The two functions are inverse to each
 * other.
 */
final class EventMapping {

	/** Fields of the first level that are the same in both forms. */
	private static final List<String> SAME = List.of(EventFields.AUTHOR, EventFields.INVOCATION_ID, EventFields.CONTENT,
			EventFields.ERROR_CODE, EventFields.ERROR_MESSAGE);

	/** Fields of the first level that are not part of the metadata. */
	private static final Set<String> FIRST_LEVEL = Stream
		.concat(Stream.of(EventFields.ID), Messages.EVENT.names().stream())
		.collect(Collectors.toUnmodifiableSet());

	/** Every event of ADK has these fields, mostly empty. */
	private static final Set<String> REQUEST_FIELDS = Set.of("requestedAuthConfigs", "requestedToolConfirmations");

	private static final JsonText EMPTY_MAP = new JsonText("{}");

	private EventMapping() {
	}

	/** Converts an event of the protocol to a stored event. */
	static ParsedEvent toStored(JsonObject sent) {
		ParsedEvent event = read(sent);
		ParsedEvent moved = InternalMetadata.toStored(event.withFields(storedFields(event)));
		ParsedEvent stored = RawEvent.toStored(moved, event.fields().get(RawEvent.FIELD));
		boolean withoutActions = event.fields().get(EventFields.ACTIONS) == null
				&& stored.actions().members().isEmpty();
		return withoutActions ? stored.withFields(stored.fields().without(Set.of(EventFields.ACTIONS))) : stored;
	}

	/**
	 * Converts a stored event to an event of the protocol, without fields of the wrong
	 * type. Other dialects do not check the types of the fields they store, and such a
	 * field must not hide the other events.
	 */
	static ParsedEvent fromStored(Event stored, String name) {
		ParsedEvent event = InternalMetadata.fromStored(ParsedEvent.of(JsonObject.of(stored.body())));
		JsonObject fields = event.fields();
		Map<String, JsonText> wire = new LinkedHashMap<>();
		wire.put("name", JsonStrings.of(name));
		SAME.forEach((field) -> copy(fields, field, wire));
		wire.put(EventFields.TIMESTAMP, JsonStrings.of(EventFields.timeOf(fields).toString()));
		wire.put(EventFields.ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		wire.put(Messages.EVENT_METADATA, fields.without(FIRST_LEVEL).asJson());
		copy(fields, RawEvent.FIELD, wire);
		JsonObject actions = renamed(withoutEmptyRequests(event.actions()), EventFields.TRANSFER_TO_AGENT,
				Messages.TRANSFER_AGENT);
		return event.withFields(Messages.EVENT.readable(new JsonObject("", wire)))
			.withActions(Messages.ACTIONS.readable(actions));
	}

	/** ADK Rust takes an empty map for a value of the event, and shows it. */
	private static JsonObject withoutEmptyRequests(JsonObject actions) {
		return actions.without(REQUEST_FIELDS.stream()
			.filter((request) -> EMPTY_MAP.equals(actions.get(request)))
			.collect(Collectors.toSet()));
	}

	private static ParsedEvent read(JsonObject sent) {
		ParsedEvent event = ParsedEvent.of(Messages.EVENT.read(sent));
		JsonObject actions = Messages.ACTIONS.read(event.actions());
		checkRequired(event.fields());
		return event.withActions(renamed(actions, Messages.TRANSFER_AGENT, EventFields.TRANSFER_TO_AGENT));
	}

	private static JsonObject storedFields(ParsedEvent sent) {
		JsonObject fields = sent.fields();
		Map<String, JsonText> stored = new LinkedHashMap<>();
		SAME.forEach((name) -> copy(fields, name, stored));
		JsonText content = RustEvent.content(sent.raw());
		if (content != null) {
			stored.putIfAbsent(EventFields.CONTENT, content);
		}
		if (fields.get(EventFields.TIMESTAMP) != null) {
			stored.put(EventFields.TIMESTAMP, JsonStrings.of(WireTime.read(fields, EventFields.TIMESTAMP).toString()));
		}
		JsonObject metadata = fields.object(Messages.EVENT_METADATA);
		if (metadata != null) {
			stored.putAll(metadata.without(FIRST_LEVEL).members());
		}
		stored.put(EventFields.ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		return new JsonObject("", stored);
	}

	private static void checkRequired(JsonObject event) {
		String author = event.string(EventFields.AUTHOR);
		InvalidArgument.check(author != null && !author.isBlank(), "event.author", "is required");
	}

	private static JsonObject renamed(JsonObject object, String from, String to) {
		JsonText value = object.get(from);
		return (value != null) ? object.without(Set.of(from)).with(to, value) : object;
	}

	private static void copy(JsonObject from, String name, Map<String, JsonText> to) {
		@Nullable JsonText value = from.get(name);
		if (value != null) {
			to.put(name, value);
		}
	}

	/**
	 * Moves the fields that ADK Python and TypeScript hide in {@code customMetadata},
	 * because the protocol has no field for them: the token usage of the model, and the
	 * summary of earlier events (compaction). Source:
	 * {@code vertex_ai_session_service.py} of ADK Python 2.13.
	 */
	static final class InternalMetadata {

		private static final String HIDDEN_USAGE = "_usage_metadata";

		static final String HIDDEN_COMPACTION = "_compaction";

		private InternalMetadata() {
		}

		/** Moves the hidden fields to their fields in ADK. */
		static ParsedEvent toStored(ParsedEvent event) {
			JsonObject custom = event.fields().objectIfAny(EventFields.CUSTOM_METADATA);
			if (custom == null || (custom.get(HIDDEN_USAGE) == null && custom.get(HIDDEN_COMPACTION) == null)) {
				return event;
			}
			ParsedEvent stored = event.withFields(revealed(event.fields(), custom));
			JsonObject compaction = custom.objectIfAny(HIDDEN_COMPACTION);
			return (compaction != null)
					? stored.withActions(
							event.actions().with(EventFields.COMPACTION, Messages.COMPACTION.read(compaction).asJson()))
					: stored;
		}

		private static JsonObject revealed(JsonObject event, JsonObject custom) {
			JsonObject own = custom.without(Set.of(HIDDEN_USAGE, HIDDEN_COMPACTION));
			JsonObject stored = own.members().isEmpty() ? event.without(Set.of(EventFields.CUSTOM_METADATA))
					: event.with(EventFields.CUSTOM_METADATA, own.asJson());
			JsonText usage = custom.get(HIDDEN_USAGE);
			return (usage != null) ? stored.with(EventFields.USAGE_METADATA, FieldReaders.plain(usage)) : stored;
		}

		/**
		 * Hides the fields again, except for ADK Rust, which hides nothing in the custom
		 * metadata and compares it with a copy.
		 */
		static ParsedEvent fromStored(ParsedEvent event) {
			if (RustEvent.isIn(event.raw())) {
				return event;
			}
			JsonObject fields = event.fields();
			JsonObject withUsage = hide(fields, HIDDEN_USAGE, fields.get(EventFields.USAGE_METADATA));
			return event.withFields(hide(withUsage, HIDDEN_COMPACTION, event.actions().get(EventFields.COMPACTION)));
		}

		private static JsonObject hide(JsonObject event, String name, @Nullable JsonText value) {
			if (value == null) {
				return event;
			}
			JsonObject custom = event.objectIfAny(EventFields.CUSTOM_METADATA);
			JsonObject own = (custom != null) ? custom : new JsonObject(EventFields.CUSTOM_METADATA, Map.of());
			return event.with(EventFields.CUSTOM_METADATA, own.with(name, value).asJson());
		}

	}

}
