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
import dev.agentsessions.json.JsonText;

/**
 * The known fields of a message of the protocol. They are read in camelCase and in
 * snake_case, and null counts as absent. A field of the wrong type is rejected in a
 * request, because some client could not read it and would fail for the whole session.
 * Unknown fields stay as sent.
 */
final class Message implements FieldReader {

	private final Map<String, String> names;

	private final Map<String, FieldReader> readers = new HashMap<>();

	private Message(Map<String, String> names) {
		this.names = names;
	}

	/** Returns a message with these fields, in camelCase. */
	static Message of(String... names) {
		return new Message(FieldNames.bySnakeCase(names));
	}

	/** Returns the names of the fields in camelCase, except some. */
	Set<String> names(String... without) {
		Set<String> rest = new HashSet<>(this.names.values());
		List.of(without).forEach(rest::remove);
		return rest;
	}

	/** Sets the type of a field, and returns this message. */
	Message with(String name, FieldReader reader) {
		this.readers.put(name, reader);
		return this;
	}

	/**
	 * Reads a message of a request, with the names in camelCase, which all clients read.
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

	/** Returns a reader for an array of such messages. */
	FieldReader list() {
		return new Elements(this);
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
