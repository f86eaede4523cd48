package dev.agentsessions.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object of which only the first level is read. The values keep the text in which
 * they were sent, so whoever takes an object apart and puts it together again changes
 * nothing else.
 *
 * @param path where the object stands in the body, for messages; blank for the body
 * itself
 * @param members the values by name, in the order sent
 */
public record JsonObject(String path, Map<String, JsonText> members) {

	static final JsonFactory JSON = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
		.build();

	public JsonObject {
		members = Collections.unmodifiableMap(members);
	}

	/**
	 * Reads a body.
	 * @throws JsonException.Malformed if it is not JSON
	 * @throws JsonException.InvalidShape if it is not an object, or names a member twice
	 */
	public static JsonObject parse(String text) {
		return parse("", text);
	}

	private static JsonObject parse(String path, String text) {
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text.toCharArray())) {
			return parse(path, text, parser);
		}
		catch (JacksonException ex) {
			throw new JsonException.Malformed(JsonProblems.describe(ex));
		}
	}

	static JsonObject parse(String path, String text, JsonParser parser) {
		boolean object = parser.nextToken() == JsonToken.START_OBJECT;
		Map<String, JsonText> members = object ? readMembers(path, parser, text) : Map.of();
		if (!object) {
			parser.skipChildren();
		}
		if (parser.nextToken() != null) {
			throw new JsonException.Malformed("something follows after its end");
		}
		if (!object) {
			throw new JsonException.InvalidShape(path, "must be a JSON object");
		}
		return new JsonObject(path, members);
	}

	private static Map<String, JsonText> readMembers(String path, JsonParser parser, String text) {
		Map<String, JsonText> members = new LinkedHashMap<>();
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			parser.nextToken();
			if (members.put(name, readValue(parser, text)) != null) {
				throw new JsonException.InvalidShape(join(path, name), "must not occur twice");
			}
		}
		return members;
	}

	private static JsonText readValue(JsonParser parser, String text) {
		int start = (int) parser.currentTokenLocation().getCharOffset();
		parser.skipChildren();
		parser.finishToken();
		int end = (int) parser.currentLocation().getCharOffset();
		return new JsonText(text.substring(start, end));
	}

	/** The value of a member, {@code null} if it is absent or JSON null. */
	public @Nullable JsonText get(String name) {
		JsonText value = this.members.get(name);
		return (value == null || value.isNull()) ? null : value;
	}

	/**
	 * The value of a member that has to be there.
	 * @throws JsonException.InvalidShape if it is absent or JSON null
	 */
	public JsonText required(String name) {
		JsonText value = get(name);
		if (value == null) {
			throw new JsonException.InvalidShape(pathOf(name), "is required");
		}
		return value;
	}

	/**
	 * The text of a string member, {@code null} if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public @Nullable String string(String name) {
		JsonText value = get(name);
		return (value != null) ? string(pathOf(name), value) : null;
	}

	/**
	 * The text of a value.
	 * @param field what the value is, for messages
	 * @throws JsonException.InvalidShape if it is no string
	 */
	public static String string(String field, JsonText value) {
		if (!value.isString()) {
			throw new JsonException.InvalidShape(field, "must be a string");
		}
		if (value.text().indexOf('\\') < 0) {
			return value.text().substring(1, value.text().length() - 1);
		}
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), value.text())) {
			parser.nextToken();
			return parser.getString();
		}
	}

	/**
	 * Whether a member is {@code true}; absent and JSON null count as {@code false}.
	 * @throws JsonException.InvalidShape if it is no boolean
	 */
	public boolean flag(String name) {
		JsonText value = get(name);
		if (value != null && !value.text().equals("true") && !value.text().equals("false")) {
			throw new JsonException.InvalidShape(pathOf(name), "must be true or false");
		}
		return value != null && value.text().equals("true");
	}

	/**
	 * A member that is an object, {@code null} if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public @Nullable JsonObject object(String name) {
		JsonText value = get(name);
		return (value != null) ? parse(pathOf(name), value.text()) : null;
	}

	/**
	 * A member that has to be an object.
	 * @throws JsonException.InvalidShape if it is absent, JSON null or something else
	 */
	public JsonObject requiredObject(String name) {
		return parse(pathOf(name), required(name).text());
	}

	/** A member that is an object, {@code null} if it is absent or something else. */
	public @Nullable JsonObject objectIfAny(String name) {
		JsonText value = get(name);
		return (value != null && value.isObject()) ? parse(pathOf(name), value.text()) : null;
	}

	/**
	 * A member that is an array of objects, empty if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public List<JsonObject> objects(String name) {
		JsonText array = get(name);
		if (array == null) {
			return List.of();
		}
		String elementsPath = pathOf(name);
		List<JsonObject> objects = new ArrayList<>();
		for (JsonText element : elements(elementsPath, array.text())) {
			objects.add(parse(elementsPath + "[" + objects.size() + "]", element.text()));
		}
		return objects;
	}

	/**
	 * The elements of an array.
	 * @param path where the array stands in the body, for messages
	 * @throws JsonException.InvalidShape if it is no array
	 */
	public static List<JsonText> elements(String path, String text) {
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text.toCharArray())) {
			if (parser.nextToken() != JsonToken.START_ARRAY) {
				throw new JsonException.InvalidShape(path, "must be an array");
			}
			List<JsonText> elements = new ArrayList<>();
			while (parser.nextToken() != JsonToken.END_ARRAY) {
				elements.add(readValue(parser, text));
			}
			return elements;
		}
	}

	/** A copy with one member set, in its old place if it has one, else at the end. */
	public JsonObject with(String name, JsonText value) {
		Map<String, JsonText> changed = new LinkedHashMap<>(this.members);
		changed.put(name, value);
		return new JsonObject(this.path, changed);
	}

	/** A copy without these members. */
	public JsonObject without(Set<String> names) {
		Map<String, JsonText> rest = new LinkedHashMap<>(this.members);
		rest.keySet().removeAll(names);
		return new JsonObject(this.path, rest);
	}

	/**
	 * A copy whose members have other names.
	 * @param names the new name by the old one; what is not in it keeps its name
	 * @throws JsonException.InvalidShape if a member is there under both names
	 */
	public JsonObject renamed(Map<String, String> names) {
		Map<String, JsonText> renamed = new LinkedHashMap<>();
		this.members.forEach((name, value) -> {
			String newName = names.getOrDefault(name, name);
			if (renamed.put(newName, value) != null) {
				throw new JsonException.InvalidShape(pathOf(newName), "must not occur twice");
			}
		});
		return new JsonObject(this.path, renamed);
	}

	/** The whole object as JSON. */
	public JsonText toJson() {
		StringJoiner json = new StringJoiner(",", "{", "}");
		this.members.forEach((name, value) -> json.add(JsonStrings.quote(name) + ":" + value.text()));
		return new JsonText(json.toString());
	}

	/** Where a member stands in the body, for messages. */
	public String pathOf(String name) {
		return join(this.path, name);
	}

	private static String join(String path, String name) {
		return path.isEmpty() ? name : path + "." + name;
	}

}
