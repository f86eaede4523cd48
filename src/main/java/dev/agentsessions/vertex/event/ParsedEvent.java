package dev.agentsessions.vertex.event;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * An event while it is translated. Its actions and its raw copy, in which there may be a
 * large image once more, are read once, and the actions are written once, at the end.
 *
 * @param fields the first level; of the actions only their place is in it
 * @param actions what the event does, empty if it does nothing
 * @param raw the raw copy, if the event has one; {@code fields} has its text
 */
record ParsedEvent(JsonObject fields, JsonObject actions, @Nullable JsonObject raw) {

	static final String ACTIONS = "actions";

	/** Keeps the place of the actions among the fields. */
	static final JsonText PLACE = new JsonText("{}");

	/**
	 * Reads an event.
	 * @throws JsonException.InvalidShape if its actions are no object
	 */
	static ParsedEvent of(JsonObject event) {
		JsonObject actions = event.object(ACTIONS);
		return new ParsedEvent(event, (actions != null) ? actions : new JsonObject(ACTIONS, Map.of()),
				event.objectIfAny(RawEvent.FIELD));
	}

	ParsedEvent withFields(JsonObject changed) {
		return new ParsedEvent(changed, this.actions, this.raw);
	}

	ParsedEvent withActions(JsonObject changed) {
		return new ParsedEvent(this.fields, changed, this.raw);
	}

	/** The whole event, with its actions in their place. */
	JsonObject whole() {
		return this.fields.members().containsKey(ACTIONS) ? this.fields.with(ACTIONS, this.actions.toJson())
				: this.fields;
	}

}
