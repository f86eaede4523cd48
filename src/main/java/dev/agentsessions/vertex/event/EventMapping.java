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
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventFields;

/**
 * Maps an event of the protocol to a stored event and back. A stored event has the form
 * of ADK: the fields of {@code eventMetadata} are on the first level, and
 * {@code transferAgent} is {@code transferToAgent}. The two functions are inverse to each
 * other.
 */
final class EventMapping {

	private static final String TIMESTAMP = "timestamp";

	private static final String CONTENT = "content";

	private static final String ACTIONS = ParsedEvent.ACTIONS;

	private static final String METADATA = "eventMetadata";

	private static final String TRANSFER_AGENT = "transferAgent";

	private static final String TRANSFER_TO_AGENT = "transferToAgent";

	/** Fields of the first level that are the same in both forms. */
	private static final List<String> SAME = List.of("author", "invocationId", CONTENT, "errorCode", "errorMessage");

	/** Fields of the first level that are not part of the metadata. */
	private static final Set<String> FIRST_LEVEL = Stream.concat(Stream.of("id"), Messages.EVENT.names().stream())
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
		boolean withoutActions = event.fields().get(ACTIONS) == null && stored.actions().members().isEmpty();
		return withoutActions ? stored.withFields(stored.fields().without(Set.of(ACTIONS))) : stored;
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
		wire.put(TIMESTAMP, JsonStrings.of(EventFields.timeOf(fields).toString()));
		wire.put(ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		wire.put(METADATA, fields.without(FIRST_LEVEL).asJson());
		copy(fields, RawEvent.FIELD, wire);
		JsonObject actions = renamed(withoutEmptyRequests(event.actions()), TRANSFER_TO_AGENT, TRANSFER_AGENT);
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
		return event.withActions(renamed(actions, TRANSFER_AGENT, TRANSFER_TO_AGENT));
	}

	private static JsonObject storedFields(ParsedEvent sent) {
		JsonObject fields = sent.fields();
		Map<String, JsonText> stored = new LinkedHashMap<>();
		SAME.forEach((name) -> copy(fields, name, stored));
		JsonText content = RustEvent.content(sent.raw());
		if (content != null) {
			stored.putIfAbsent(CONTENT, content);
		}
		if (fields.get(TIMESTAMP) != null) {
			stored.put(TIMESTAMP, JsonStrings.of(WireTime.read(fields, TIMESTAMP).toString()));
		}
		JsonObject metadata = fields.object(METADATA);
		if (metadata != null) {
			stored.putAll(metadata.without(FIRST_LEVEL).members());
		}
		stored.put(ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		return new JsonObject("", stored);
	}

	private static void checkRequired(JsonObject event) {
		String author = event.string("author");
		if (author == null || author.isBlank()) {
			throw new SessionException.InvalidArgument("event.author", "is required");
		}
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

		private static final String CUSTOM = "customMetadata";

		private static final String USAGE = "usageMetadata";

		private static final String HIDDEN_USAGE = "_usage_metadata";

		private static final String COMPACTION = "compaction";

		private static final String HIDDEN_COMPACTION = "_compaction";

		private InternalMetadata() {
		}

		/** Moves the hidden fields to their fields in ADK. */
		static ParsedEvent toStored(ParsedEvent event) {
			JsonObject custom = event.fields().objectIfAny(CUSTOM);
			if (custom == null || (custom.get(HIDDEN_USAGE) == null && custom.get(HIDDEN_COMPACTION) == null)) {
				return event;
			}
			ParsedEvent stored = event.withFields(revealed(event.fields(), custom));
			JsonObject compaction = custom.objectIfAny(HIDDEN_COMPACTION);
			return (compaction != null) ? stored
				.withActions(event.actions().with(COMPACTION, Messages.COMPACTION.read(compaction).asJson())) : stored;
		}

		private static JsonObject revealed(JsonObject event, JsonObject custom) {
			Map<String, JsonText> stored = new LinkedHashMap<>(event.members());
			JsonObject own = custom.without(Set.of(HIDDEN_USAGE, HIDDEN_COMPACTION));
			stored.put(CUSTOM, own.asJson());
			if (own.members().isEmpty()) {
				stored.remove(CUSTOM);
			}
			JsonText usage = custom.get(HIDDEN_USAGE);
			if (usage != null) {
				stored.put(USAGE, FieldReaders.plain(usage));
			}
			return new JsonObject(event.path(), stored);
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
			JsonObject withUsage = hide(fields, HIDDEN_USAGE, fields.get(USAGE));
			return event.withFields(hide(withUsage, HIDDEN_COMPACTION, event.actions().get(COMPACTION)));
		}

		private static JsonObject hide(JsonObject event, String name, @Nullable JsonText value) {
			if (value == null) {
				return event;
			}
			JsonObject custom = event.objectIfAny(CUSTOM);
			JsonObject own = (custom != null) ? custom : new JsonObject(CUSTOM, Map.of());
			return event.with(CUSTOM, own.with(name, value).asJson());
		}

	}

}
