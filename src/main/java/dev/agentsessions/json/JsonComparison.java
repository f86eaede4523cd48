package dev.agentsessions.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares JSON by what it means: spaces and the order of names do not count. */
public final class JsonComparison {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private JsonComparison() {
	}

	/**
	 * Whether two objects mean the same.
	 * @param without a member that does not count, {@code null} if all do
	 */
	public static boolean same(JsonText one, JsonText other, @Nullable String without) {
		return read(one, without).equals(read(other, without));
	}

	private static JsonNode read(JsonText json, @Nullable String without) {
		ObjectNode object = (ObjectNode) JSON.readTree(json.text());
		if (without != null) {
			object.remove(without);
		}
		return object;
	}

}
