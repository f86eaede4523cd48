package dev.agentsessions.vertex.event;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;

/**
 * An event during its conversion. The actions and the raw copy, which may contain a large
 * image again, are parsed once, and the actions are written once, at the end.
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
