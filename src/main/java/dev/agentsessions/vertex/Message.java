package dev.agentsessions.vertex;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.session.FieldNames;
import dev.agentsessions.session.JsonObject;
import dev.agentsessions.state.JsonText;

/**
 * The fields that a message of the protocol is known to have. They are read in camelCase
 * and in snake_case, and null counts as absent. What is not known stays as it was sent.
 */
final class Message {

	private final Map<String, String> names;

	private final Map<String, Value> values = new HashMap<>();

	private Message(Map<String, String> names) {
		this.names = names;
	}

	/** A message with these fields, in camelCase. */
	static Message of(String... names) {
		return new Message(FieldNames.bySnakeCase(names));
	}

	/** This message, whose field of this name has values of a special kind. */
	Message with(String name, Value value) {
		this.values.put(name, value);
		return this;
	}

	/** The message in the only spelling that all clients read. */
	JsonObject read(JsonObject sent) {
		JsonObject fields = sent.renamed(this.names);
		Map<String, JsonText> members = new LinkedHashMap<>();
		for (String name : fields.members().keySet()) {
			if (fields.get(name) != null) {
				members.put(name, this.values.getOrDefault(name, JsonObject::get).read(fields, name));
			}
		}
		return new JsonObject(sent.path(), members);
	}

	/** How the value of a field is read. */
	@FunctionalInterface
	interface Value {

		/** Reads a member of an object, which is there and is not null. */
		JsonText read(JsonObject parent, String name);

	}

}
