package dev.agentsessions.support;

import java.util.Map;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON in tests. */
public final class Json {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private Json() {
	}

	/** A JSON text written with single quotes, which Java need not escape. */
	public static String of(String quoted) {
		return quoted.replace('\'', '"');
	}

	/** An object with one string in it. */
	public static String object(String name, String value) {
		return MAPPER.writeValueAsString(Map.of(name, value));
	}

	/** A string as JSON, in double quotes. */
	public static String string(String value) {
		return MAPPER.writeValueAsString(value);
	}

	/** Reads a JSON text. */
	public static JsonNode read(String text) {
		return MAPPER.readTree(text);
	}

	/** Reads a JSON text written with single quotes. */
	public static JsonNode node(String quoted) {
		return read(of(quoted));
	}

}
