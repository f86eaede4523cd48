package dev.agentsessions.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A JSON object of which only the first level is parsed. The values keep their original
 * text, so a caller that changes some members leaves all others as they were sent.
 *
 * @param path the location of the object in the body, for messages; blank for the body
 * itself
 * @param members the values by name, in the order sent
 */
public record JsonObject(String path, Map<String, JsonText> members) {

	/** An object without members. */
	public static final JsonObject EMPTY = new JsonObject("", Map.of());

	public JsonObject {
		members = Collections.unmodifiableMap(members);
	}

	/**
	 * Parses a body.
	 * @throws JsonException.Malformed if it is not JSON
	 * @throws JsonException.InvalidShape if it is not an object, or names a member twice
	 */
	public static JsonObject parse(String text) {
		return JsonReader.object("", text);
	}

	/**
	 * Reads a value.
	 * @throws JsonException.InvalidShape if it is not an object, or names a member twice
	 */
	public static JsonObject of(JsonText value) {
		return JsonReader.object("", value);
	}

	/** Creates an object whose members are strings. */
	public static JsonObject ofTexts(Map<String, String> texts) {
		Map<String, JsonText> members = new LinkedHashMap<>();
		texts.forEach((name, text) -> members.put(name, JsonStrings.of(text)));
		return new JsonObject("", members);
	}

	/** Returns the value of a member, {@code null} if it is absent or JSON null. */
	public @Nullable JsonText get(String name) {
		JsonText value = this.members.get(name);
		return (value == null || value.isNull()) ? null : value;
	}

	/**
	 * Returns the value of a required member.
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
	 * Returns the content of a string member, {@code null} if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public @Nullable String string(String name) {
		JsonText value = get(name);
		return (value != null) ? value.string(pathOf(name)) : null;
	}

	/**
	 * Returns the content of a required member that is a string.
	 * @throws JsonException.InvalidShape if it is absent, JSON null or something else
	 */
	public String requiredString(String name) {
		return required(name).string(pathOf(name));
	}

	/**
	 * Returns the content of a string member, {@code null} if it is absent or something
	 * else.
	 */
	public @Nullable String stringIfAny(String name) {
		JsonText value = get(name);
		return (value != null && value.isString()) ? value.string(name) : null;
	}

	/**
	 * Returns whether a member is {@code true}; absent and JSON null count as {@code
	 * false}.
	 * @throws JsonException.InvalidShape if it is something else than a boolean
	 */
	public boolean flag(String name) {
		JsonText value = get(name);
		if (value != null && !value.text().equals("true") && !value.text().equals("false")) {
			throw new JsonException.InvalidShape(pathOf(name), "must be true or false");
		}
		return value != null && value.text().equals("true");
	}

	/**
	 * Returns a member that is a count, {@code null} if it is absent or JSON null.
	 * @return at most {@link Integer#MAX_VALUE}, also for a larger number
	 * @throws JsonException.InvalidShape if it is not a whole number, negative, or has
	 * more than 18 digits
	 */
	public @Nullable Integer count(String name) {
		JsonText value = get(name);
		return (value != null) ? (int) Math.min(Integer.MAX_VALUE, value.wholeNumber(pathOf(name))) : null;
	}

	/**
	 * Returns a member that is an object, {@code null} if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public @Nullable JsonObject object(String name) {
		JsonText value = get(name);
		return (value != null) ? JsonReader.object(pathOf(name), value) : null;
	}

	/**
	 * Returns a required member that is an object.
	 * @throws JsonException.InvalidShape if it is absent, JSON null or something else
	 */
	public JsonObject requiredObject(String name) {
		return JsonReader.object(pathOf(name), required(name));
	}

	/**
	 * Returns a member that is an object, {@code null} if it is absent or something else.
	 */
	public @Nullable JsonObject objectIfAny(String name) {
		JsonText value = get(name);
		return (value != null && value.isObject()) ? JsonReader.object(pathOf(name), value) : null;
	}

	/**
	 * Returns a member that is an array of objects, empty if it is absent or JSON null.
	 * @throws JsonException.InvalidShape if it is something else
	 */
	public List<JsonObject> objects(String name) {
		JsonText array = get(name);
		if (array == null) {
			return List.of();
		}
		String elementsPath = pathOf(name);
		List<JsonObject> objects = new ArrayList<>();
		for (JsonText element : array.elements(elementsPath)) {
			objects.add(JsonReader.object(elementsPath + "[" + objects.size() + "]", element));
		}
		return objects;
	}

	/** Returns a copy with one member set: where it was, or at the end if it is new. */
	public JsonObject with(String name, JsonText value) {
		return with(Map.of(name, value));
	}

	/**
	 * Returns a copy with these members set: each where it was, or at the end if it is
	 * new.
	 */
	public JsonObject with(Map<String, JsonText> values) {
		return changed((members) -> members.putAll(values));
	}

	/** Returns a copy without these members. */
	public JsonObject without(Set<String> names) {
		return changed((members) -> members.keySet().removeAll(names));
	}

	/**
	 * Returns a copy with other members.
	 * @param change changes the members of the copy
	 */
	public JsonObject changed(Consumer<Map<String, JsonText>> change) {
		Map<String, JsonText> copy = new LinkedHashMap<>(this.members);
		change.accept(copy);
		return new JsonObject(this.path, copy);
	}

	/**
	 * Returns a copy whose members have other names.
	 * @param names the new name by the old name; other members keep their names
	 * @throws JsonException.InvalidShape if two members get the same name
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

	/** Returns the whole object as JSON. */
	public JsonText toJson() {
		return new JsonText(asJson().text());
	}

	/** Returns the whole object as JSON that is not written before its text is needed. */
	public JsonText asJson() {
		return JsonText.of(this);
	}

	void write(JsonText.Pieces out) {
		String separator = "{";
		for (Map.Entry<String, JsonText> member : this.members.entrySet()) {
			out.write(separator);
			out.write(JsonStrings.quote(member.getKey()));
			out.write(":");
			member.getValue().write(out);
			separator = ",";
		}
		out.write(this.members.isEmpty() ? "{}" : "}");
	}

	/** Returns the location of a member in the body, for messages. */
	public String pathOf(String name) {
		return join(this.path, name);
	}

	static String join(String path, String name) {
		return path.isEmpty() ? name : path + "." + name;
	}

	/**
	 * Reads members of an object that nobody has checked. The name of a member may be in
	 * camelCase or in snake_case. No method fails for the type of a value.
	 */
	public static final class LenientFields {

		private LenientFields() {
		}

		/**
		 * Returns a member; {@code null} if it is absent or JSON null.
		 * @param name its name in camelCase, which counts if both spellings are there
		 */
		public static @Nullable JsonText get(@Nullable JsonObject object, String name) {
			if (object == null) {
				return null;
			}
			JsonText value = object.get(name);
			return (value != null) ? value : object.get(FieldNames.toSnakeCase(name));
		}

		/**
		 * Returns the value of a string, or the JSON text of any other value; blank if
		 * there is no member.
		 */
		public static String text(@Nullable JsonObject object, String name) {
			JsonText value = get(object, name);
			return (value != null) ? value.stringOrText() : "";
		}

		/**
		 * Returns a member that is an object; {@code null} if it is missing, no object or
		 * malformed.
		 */
		public static @Nullable JsonObject object(@Nullable JsonObject object, String name) {
			return object(get(object, name));
		}

		/** Returns a value as an object; {@code null} if it is no object or malformed. */
		public static @Nullable JsonObject object(@Nullable JsonText value) {
			try {
				return (value != null && value.isObject()) ? JsonObject.of(value) : null;
			}
			catch (JsonException ex) {
				return null;
			}
		}

		/** Returns the elements of a member that is an array; none if it is not. */
		public static List<JsonText> elements(@Nullable JsonObject object, String name) {
			JsonText value = get(object, name);
			return (value != null && value.isArray()) ? value.elements("") : List.of();
		}

	}

}
