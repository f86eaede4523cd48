package dev.agentsessions.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses the first level of a text. Deeper levels are slices of it. A text from outside
 * is parsed by Jackson, which finds what is not JSON. A {@link JsonText} is JSON, so its
 * first level is read without a copy.
 */
final class JsonReader {

	static final JsonFactory JSON = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
		.build();

	private JsonReader() {
	}

	/**
	 * Reads an object.
	 * @param path the location of the object in the body, for messages; blank for the
	 * body itself
	 * @throws JsonException.Malformed if the text is not JSON
	 * @throws JsonException.InvalidShape if it is not an object, or names a member twice
	 */
	static JsonObject object(String path, String text) {
		try (JsonParser parser = parser(text)) {
			return object(path, text, parser);
		}
		catch (JacksonException ex) {
			throw JsonException.Malformed.of(ex);
		}
	}

	/** Reads an object with a parser at the start of the text. */
	static JsonObject object(String path, String text, JsonParser parser) {
		boolean object = parser.nextToken() == JsonToken.START_OBJECT;
		Map<String, JsonText> members = object ? members(path, parser, text) : Map.of();
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

	/**
	 * Reads an object.
	 * @param path the location of the object in the body, for messages
	 * @throws JsonException.InvalidShape if it is not an object, or names a member twice
	 */
	static JsonObject object(String path, JsonText value) {
		if (!value.isObject()) {
			throw new JsonException.InvalidShape(path, "must be a JSON object");
		}
		Map<String, JsonText> unwritten = value.unwrittenMembers();
		if (unwritten != null) {
			return new JsonObject(path, unwritten);
		}
		Map<String, JsonText> members = new LinkedHashMap<>();
		value.span()
			.forEachMember((member) -> put(members, path, string(member.name().toJson()), member.value().toJson()));
		return new JsonObject(path, members);
	}

	/**
	 * Reads an array.
	 * @param path the location of the array in the body, for messages
	 * @throws JsonException.InvalidShape if it is not an array
	 */
	static List<JsonText> elements(String path, JsonText value) {
		if (!value.isArray()) {
			throw new JsonException.InvalidShape(path, "must be an array");
		}
		List<JsonText> unwritten = value.unwrittenElements();
		if (unwritten != null) {
			return unwritten;
		}
		List<JsonText> elements = new ArrayList<>();
		value.span().forEachElement((element, index) -> elements.add(element.toJson()));
		return elements;
	}

	/** Returns the content of a JSON string. */
	static String string(JsonText value) {
		JsonSpan span = value.span();
		if (!span.has('\\')) {
			return span.whole().substring(span.start() + 1, span.end() - 1);
		}
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), value.text())) {
			parser.nextToken();
			return parser.getString();
		}
	}

	static JsonParser parser(String text) {
		return JSON.createParser(ObjectReadContext.empty(), text.toCharArray());
	}

	private static Map<String, JsonText> members(String path, JsonParser parser, String text) {
		Map<String, JsonText> members = new LinkedHashMap<>();
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			parser.nextToken();
			put(members, path, name, value(parser, text));
		}
		return members;
	}

	private static void put(Map<String, JsonText> members, String path, String name, JsonText value) {
		if (members.put(name, value) != null) {
			throw new JsonException.InvalidShape(JsonObject.join(path, name), "must not occur twice");
		}
	}

	private static JsonText value(JsonParser parser, String text) {
		int start = (int) parser.currentTokenLocation().getCharOffset();
		parser.skipChildren();
		parser.finishToken();
		int end = (int) parser.currentLocation().getCharOffset();
		return new JsonText(text, start, end);
	}

}
