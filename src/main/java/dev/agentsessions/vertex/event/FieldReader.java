package dev.agentsessions.vertex.event;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/** Reads the value of a field. */
@FunctionalInterface
interface FieldReader {

	/**
	 * Reads a member that is present and not null.
	 * @throws JsonException.InvalidShape if it has the wrong type
	 */
	JsonText read(JsonObject parent, String name);

	/** Reads a member, without nested fields of the wrong type. */
	default JsonText readable(JsonObject parent, String name) {
		return read(parent, name);
	}

}
