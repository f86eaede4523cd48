package dev.agentsessions.vertex.event;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.state.StateDelta;

/**
 * The copy of the whole event that Python, TypeScript, Go and Rust send in addition to
 * the fields of the protocol. It is stored and returned unchanged, under the same name.
 */
final class RawEvent {

	static final String FIELD = "rawEvent";

	private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,512}");

	/**
	 * Fields that the protocol has itself; their values in the raw copy are ignored.
	 */
	private static final Set<String> PROTOCOL_FIELDS = Stream
		.of(Set.of(EventFields.ID), Messages.EVENT.names("name", Messages.EVENT_METADATA, FIELD),
				Messages.METADATA_OF_PROTOCOL)
		.flatMap(Set::stream)
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<String> PROTOCOL_ACTIONS = Messages.ACTIONS.names();

	private RawEvent() {
	}

	/** Adds the copy to an event, and the fields that only the copy has. */
	static ParsedEvent toStored(ParsedEvent event, @Nullable JsonText sent) {
		JsonObject raw = event.raw();
		String id = id(raw, event.fields());
		JsonObject named = (id != null) ? event.fields().with("id", JsonStrings.of(id)) : event.fields();
		if (raw == null || sent == null) {
			return event.withFields(named);
		}
		JsonObject actions = actions(raw);
		JsonObject fields = completed(named, raw, PROTOCOL_FIELDS).with(FIELD, storedCopy(sent, raw, actions));
		return event.withFields(fields).withActions(completed(event.actions(), actions, PROTOCOL_ACTIONS));
	}

	/** Returns the id that the client gave the event, if it can be a path segment. */
	private static @Nullable String id(@Nullable JsonObject raw, JsonObject event) {
		JsonObject custom = event.objectIfAny(EventFields.CUSTOM_METADATA);
		String rust = (custom != null) ? custom.stringIfAny("adkEventId") : null;
		return Stream.of(rust, (raw != null) ? raw.stringIfAny("id") : null)
			.filter((id) -> id != null && SEGMENT.matcher(id).matches())
			.findFirst()
			.orElse(null);
	}

	private static JsonObject completed(JsonObject event, JsonObject raw, Set<String> ignored) {
		Map<String, JsonText> completed = new LinkedHashMap<>(event.members());
		raw.without(ignored).members().forEach((name, value) -> {
			if (!name.contains("_") && !value.isNull()) {
				completed.putIfAbsent(name, value);
			}
		});
		return new JsonObject(event.path(), completed);
	}

	/** Returns the copy as sent, without state that is never stored. */
	private static JsonText storedCopy(JsonText sent, JsonObject raw, JsonObject actions) {
		JsonObject delta = actions.objectIfAny(EventFields.STATE_DELTA);
		StateDelta stored = StateDeltas.of(delta).stored();
		if (delta == null || stored.changes().size() == delta.members().size()) {
			return sent;
		}
		JsonText changes = new JsonObject("", stored.changes()).asJson();
		return raw.with(EventFields.ACTIONS, actions.with(EventFields.STATE_DELTA, changes).asJson()).asJson();
	}

	private static JsonObject actions(JsonObject raw) {
		JsonObject actions = raw.objectIfAny(EventFields.ACTIONS);
		return (actions != null) ? actions : new JsonObject(EventFields.ACTIONS, Map.of());
	}

	/**
	 * An event during its conversion. The actions and the raw copy, which may contain a
	 * large image again, are parsed once, and the actions are written once, at the end.
	 *
	 * @param fields the first level; the actions may be only a placeholder in it
	 * @param actions the actions; empty if the event has none
	 * @param raw the parsed raw copy, if the event has one; {@code fields} has its text
	 */
	record ParsedEvent(JsonObject fields, JsonObject actions, @Nullable JsonObject raw) {

		/** Reserves the position of the actions among the fields. */
		static final JsonText ACTIONS_PLACEHOLDER = new JsonText("{}");

		/**
		 * Parses an event.
		 * @throws JsonException.InvalidShape if its actions are not an object
		 */
		static ParsedEvent of(JsonObject event) {
			JsonObject actions = event.object(EventFields.ACTIONS);
			return new ParsedEvent(event, (actions != null) ? actions : new JsonObject(EventFields.ACTIONS, Map.of()),
					event.objectIfAny(RawEvent.FIELD));
		}

		ParsedEvent withFields(JsonObject changed) {
			return new ParsedEvent(changed, this.actions, this.raw);
		}

		ParsedEvent withActions(JsonObject changed) {
			return new ParsedEvent(this.fields, changed, this.raw);
		}

		/** Returns the fields of the event, including the actions. */
		JsonObject toObject() {
			return this.fields.members().containsKey(EventFields.ACTIONS)
					? this.fields.with(EventFields.ACTIONS, this.actions.asJson()) : this.fields;
		}

	}

}
