package dev.agentsessions.vertex.event;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/** How the value of a field is read. */
@FunctionalInterface
interface FieldReader {

	/**
	 * Reads a member of an object, which is there and is not null.
	 * @throws JsonException.InvalidShape if it has the wrong type
	 */
	JsonText read(JsonObject parent, String name);

	/** The same, without what has the wrong type within it. */
	default JsonText readable(JsonObject parent, String name) {
		return read(parent, name);
	}

}
