package dev.agentsessions.vertex.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.json.JsonText;

/**
 * One event on the wire of this dialect and as it is stored, which is as ADK has it. What
 * this dialect keeps under {@code eventMetadata} stands on the first level there, and
 * {@code transferAgent} is {@code transferToAgent}. The two functions are each other's
 * reverse.
 */
final class EventMapping {

	private static final String TIMESTAMP = "timestamp";

	private static final String CONTENT = "content";

	private static final String ACTIONS = "actions";

	private static final String METADATA = "eventMetadata";

	private static final String TRANSFER_AGENT = "transferAgent";

	private static final String TRANSFER_TO_AGENT = "transferToAgent";

	/** Fields of the first level that are the same on both sides. */
	private static final List<String> SAME = List.of("author", "invocationId", CONTENT, "errorCode", "errorMessage");

	/** Fields of the first level that are not part of the metadata. */
	private static final Set<String> FIRST_LEVEL = Set.of("name", "id", "author", "invocationId", CONTENT, "errorCode",
			"errorMessage", TIMESTAMP, ACTIONS, METADATA, RawEvent.FIELD);

	private EventMapping() {
	}

	/** An event as it is stored, from one of the protocol. */
	static JsonObject toStored(JsonObject sent) {
		JsonObject event = Messages.EVENT.read(sent);
		checkRequired(event);
		Map<String, JsonText> stored = new LinkedHashMap<>();
		SAME.forEach((name) -> copy(event, name, stored));
		JsonText content = RustEvent.content(event);
		if (content != null) {
			stored.putIfAbsent(CONTENT, content);
		}
		if (event.get(TIMESTAMP) != null) {
			stored.put(TIMESTAMP, JsonStrings.of(WireTime.read(event, TIMESTAMP).toString()));
		}
		JsonObject actions = renamed(objectOf(event, ACTIONS), TRANSFER_AGENT, TRANSFER_TO_AGENT);
		JsonObject metadata = objectOf(event, METADATA);
		stored.putAll(metadata.without(FIRST_LEVEL).members());
		stored.put(ACTIONS, actions.toJson());
		JsonObject whole = RawEvent.toStored(event, InternalMetadata.toStored(new JsonObject("", stored)));
		boolean withoutActions = event.get(ACTIONS) == null && whole.requiredObject(ACTIONS).members().isEmpty();
		return withoutActions ? whole.without(Set.of(ACTIONS)) : whole;
	}

	/**
	 * An event of the protocol, from one as it is stored. Another dialect does not check
	 * the types of what it stores; a field of the wrong type must not hide the rest of
	 * the history.
	 */
	static JsonObject fromStored(Event stored, String name) {
		JsonObject fields = InternalMetadata.fromStored(JsonObject.parse(stored.body().text()));
		Map<String, JsonText> event = new LinkedHashMap<>();
		event.put("name", JsonStrings.of(name));
		SAME.forEach((field) -> copy(fields, field, event));
		event.put(TIMESTAMP, JsonStrings.of(stored.time().toString()));
		event.put(ACTIONS, renamed(objectOf(fields, ACTIONS), TRANSFER_TO_AGENT, TRANSFER_AGENT).toJson());
		event.put(METADATA, fields.without(FIRST_LEVEL).toJson());
		copy(fields, RawEvent.FIELD, event);
		return Messages.EVENT.readable(new JsonObject("", event));
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

	private static JsonObject objectOf(JsonObject parent, String name) {
		JsonObject object = parent.object(name);
		return (object != null) ? object : new JsonObject(name, Map.of());
	}

	private static void copy(JsonObject from, String name, Map<String, JsonText> to) {
		@Nullable JsonText value = from.get(name);
		if (value != null) {
			to.put(name, value);
		}
	}

}
