package dev.agentsessions.vertex.event;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonNumbers;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonShape;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/** Readers for the values that are not messages. */
final class FieldReaders {

	/** Base64. Python writes the URL-safe alphabet, which Java does not read. */
	static final FieldReader BASE64 = (parent, name) -> base64(parent.pathOf(name), parent.required(name));

	static final FieldReader STRING = typed("a string", JsonText::isString);

	static final FieldReader FLAG = (parent, name) -> new JsonText(Boolean.toString(parent.flag(name)));

	static final FieldReader OBJECT = typed("a JSON object", JsonText::isObject);

	static final FieldReader STRINGS = typed("an array of strings", FieldReaders::isArrayOfStrings);

	/**
	 * A value without keys chosen by users: its names are converted to camelCase, at any
	 * depth.
	 */
	static final FieldReader PLAIN = (parent, name) -> plain(parent.required(name));

	/** The same for an object. */
	static final FieldReader PLAIN_OBJECT = (parent, name) -> plain(OBJECT.read(parent, name));

	/** A string. Another scalar, which some clients send, becomes one. */
	static final FieldReader SCALAR_AS_STRING = FieldReaders::scalarAsString;

	/** A time in any of the forms of {@link WireTime}. */
	static final FieldReader TIME = (parent, name) -> JsonStrings.of(WireTime.read(parent, name).toString());

	/**
	 * Versions of artifacts, which some clients send as strings, decimal fractions or
	 * objects. A number with a fraction is left out.
	 */
	static final FieldReader VERSIONS = (parent, name) -> versions(parent.requiredObject(name));

	/**
	 * Objects with keys chosen by users; a null in such an object makes ADK Java fail.
	 */
	static final FieldReader CONFIGURATIONS = (parent, name) -> withoutNulls(parent.requiredObject(name), 1).asJson();

	/** By the shapes without known members. Other values stay as sent. */
	private static final Map<JsonShape, FieldReader> SIMPLE = Map.of(JsonShape.STRING, STRING, JsonShape.FLAG, FLAG,
			JsonShape.BASE64, BASE64, JsonShape.OBJECT, OBJECT);

	private FieldReaders() {
	}

	/**
	 * Returns the reader for a field of an event. Users choose the keys of an object
	 * without known members, so they stay as sent.
	 */
	static FieldReader of(JsonShape shape) {
		JsonShape elements = shape.elements();
		if (elements != null) {
			return (elements == JsonShape.STRING) ? STRINGS : PLAIN;
		}
		return shape.names().isEmpty() ? SIMPLE.getOrDefault(shape, JsonObject::required) : PLAIN_OBJECT;
	}

	private static JsonText base64(String field, JsonText value) {
		return StandardBase64.isIn(value) ? value : StandardBase64.of(value, field);
	}

	private static FieldReader typed(String type, Predicate<JsonText> test) {
		return (parent, name) -> {
			JsonText value = parent.required(name);
			if (!test.test(value)) {
				throw new JsonException.InvalidShape(parent.pathOf(name), "must be " + type);
			}
			return value;
		};
	}

	private static boolean isArrayOfStrings(JsonText value) {
		return value.isArray() && value.elements("").stream().allMatch(JsonText::isString);
	}

	static JsonText objects(Stream<JsonObject> elements) {
		return array(elements.map(JsonObject::asJson));
	}

	static JsonText array(Stream<JsonText> elements) {
		return JsonText.of(elements.toList());
	}

	static JsonText plain(JsonText value) {
		if (value.isArray()) {
			return array(value.elements("").stream().map(FieldReaders::plain));
		}
		if (!value.isObject()) {
			return value;
		}
		Map<String, JsonText> members = new LinkedHashMap<>();
		withoutNulls(JsonObject.of(value), 0).members()
			.forEach((name, member) -> members.put(FieldNames.toCamelCase(name), plain(member)));
		return new JsonObject("", members).asJson();
	}

	private static JsonObject withoutNulls(JsonObject object, int depth) {
		Map<String, JsonText> members = new LinkedHashMap<>(object.members());
		members.values().removeIf(JsonText::isNull);
		if (depth > 0) {
			members.replaceAll((name, value) -> value.isObject()
					? withoutNulls(object.requiredObject(name), depth - 1).asJson() : value);
		}
		return new JsonObject(object.path(), members);
	}

	private static JsonText scalarAsString(JsonObject parent, String name) {
		JsonText value = parent.required(name);
		boolean otherScalar = !value.isString() && !value.isObject() && !value.isArray();
		return otherScalar ? JsonStrings.of(value.text()) : STRING.read(parent, name);
	}

	private static JsonText versions(JsonObject versions) {
		Map<String, JsonText> numbers = new LinkedHashMap<>();
		versions.members().forEach((name, value) -> {
			Long version = JsonNumbers.whole(value.stringOrText());
			if (version != null) {
				numbers.put(name, new JsonText(version.toString()));
			}
		});
		return new JsonObject("", numbers).asJson();
	}

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

	/** Base64 in the standard alphabet, which all clients read. */
	static final class StandardBase64 {

		private static final Pattern STRING = Pattern.compile("\"[A-Za-z0-9+/]*+={0,2}\"");

		private StandardBase64() {
		}

		/**
		 * Returns whether a value is a string of such Base64. Such a value is not copied:
		 * the copy could take most of the memory.
		 */
		static boolean isIn(JsonText value) {
			// The quotes are two characters
			return value.length() % 4 == 2 && value.matches(STRING);
		}

		/**
		 * Converts a value from the standard or URL-safe alphabet; a value that is not
		 * Base64 stays unchanged.
		 * @param field the name of the value, for messages
		 * @throws JsonException.InvalidShape if it is not a string
		 */
		static JsonText of(JsonText value, String field) {
			try {
				byte[] bytes = Base64.getDecoder().decode(value.string(field).replace('-', '+').replace('_', '/'));
				return quoted(Base64.getEncoder().encodeToString(bytes));
			}
			catch (IllegalArgumentException ex) {
				return value;
			}
		}

		/** Returns a string of Base64, which has nothing to escape, as a JSON value. */
		static JsonText quoted(String base64) {
			return new JsonText('"' + base64 + '"');
		}

	}

}
