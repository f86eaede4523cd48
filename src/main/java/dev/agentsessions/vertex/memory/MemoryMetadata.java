package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.vertex.event.WireTime;

/**
 * Metadata, whose values have types here and none in the dialect of ADK. A time is stored
 * with its type. The user chooses the names, so they are never converted.
 */
final class MemoryMetadata {

	private static final String STRING = "stringValue";

	private static final String NUMBER = "doubleValue";

	private static final String FLAG = "boolValue";

	private static final String TIME = "timestampValue";

	private static final Pattern DECIMAL = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

	private MemoryMetadata() {
	}

	/** Returns the metadata of a request without types. */
	static JsonText plain(JsonObject typed) {
		Map<String, JsonText> values = new LinkedHashMap<>();
		typed.members().forEach((name, value) -> {
			if (!value.isNull()) {
				values.put(name, plain(typed.requiredObject(name).renamed(MemoryNames.VALUE), typed.pathOf(name)));
			}
		});
		return new JsonObject("", values).toJson();
	}

	private static JsonText plain(JsonObject value, String path) {
		List<String> types = List.of(STRING, NUMBER, FLAG, TIME)
			.stream()
			.filter((type) -> value.get(type) != null)
			.toList();
		if (types.size() != 1) {
			throw new JsonException.InvalidShape(path,
					"must have one of " + String.join(", ", STRING, NUMBER, FLAG, TIME));
		}
		return switch (types.get(0)) {
			case STRING -> JsonStrings.of(value.required(STRING).string(value.pathOf(STRING)));
			case FLAG -> new JsonText(Boolean.toString(value.flag(FLAG)));
			case NUMBER -> number(value);
			default -> JsonObject.ofTexts(Map.of(TIME, WireTime.read(value, TIME).toString())).toJson();
		};
	}

	private static JsonText number(JsonObject value) {
		JsonText number = value.required(NUMBER);
		if (number.isString() || !DECIMAL.matcher(number.text()).matches()) {
			throw new JsonException.InvalidShape(value.pathOf(NUMBER), "must be a number");
		}
		return number;
	}

	/**
	 * Returns stored metadata with types. Other dialects may store lists and objects,
	 * which become texts.
	 */
	static Map<String, Object> typed(JsonText metadata) {
		Map<String, Object> values = new LinkedHashMap<>();
		JsonObject.of(metadata).members().forEach((name, value) -> {
			if (!value.isNull()) {
				values.put(name, typedValue(value));
			}
		});
		return values;
	}

	private static Object typedValue(JsonText value) {
		if (value.isObject()) {
			JsonObject time = JsonObject.of(value);
			JsonText text = time.get(TIME);
			return (time.members().size() == 1 && text != null && text.isString()) ? value
					: Map.of(STRING, value.text());
		}
		if (value.isString()) {
			return Map.of(STRING, value);
		}
		if (value.isArray()) {
			return Map.of(STRING, value.text());
		}
		boolean isFlag = value.text().equals("true") || value.text().equals("false");
		return Map.of(isFlag ? FLAG : NUMBER, value);
	}

}
