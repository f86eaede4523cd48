package dev.agentsessions.vertex.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * Converts a part of a content to version v1 of the API: a part has exactly one kind of
 * data, with every field that ADK Rust requires.
 */
final class V1Part {

	private static final String TEXT = "text";

	private static final String INLINE_DATA = "inlineData";

	private static final String FILE_DATA = "fileData";

	private static final String FUNCTION_CALL = "functionCall";

	private static final String FUNCTION_RESPONSE = "functionResponse";

	private static final String MIME_TYPE = "mimeType";

	private static final String FILE_URI = "fileUri";

	private static final JsonText EMPTY = new JsonText("{}");

	/**
	 * Fields that are data. If a part has several, each one becomes a part of its own.
	 */
	private static final List<String> KINDS = List.of(FUNCTION_CALL, FUNCTION_RESPONSE, INLINE_DATA, FILE_DATA,
			"executableCode", "codeExecutionResult", TEXT);

	/** Fields that a part may have beside any kind of data. */
	private static final Set<String> FIELDS_OF_ANY_KIND = Set.of("thought", "thoughtSignature", "mediaResolution");

	private static final Set<String> MEDIA = Set.of(INLINE_DATA, FILE_DATA);

	private static final Map<String, Set<String>> KNOWN = Map.of(INLINE_DATA, Messages.BLOB.names(), FILE_DATA,
			Messages.FILE.names(), FUNCTION_CALL, Messages.FUNCTION_CALL.names("id"), FUNCTION_RESPONSE,
			Messages.FUNCTION_RESPONSE.names("id", "willContinue", "scheduling"));

	private static final Map<String, Map<String, JsonText>> REQUIRED = Map.of(INLINE_DATA,
			Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), "data", JsonStrings.of("")), FILE_DATA,
			Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), FILE_URI, JsonStrings.of("unknown:")),
			FUNCTION_RESPONSE, Map.of("name", JsonStrings.of("unknown"), "response", EMPTY));

	private V1Part() {
	}

	/** Returns parts with the same data: one for each kind of data. */
	static List<JsonText> of(JsonObject part) {
		List<JsonText> converted = new ArrayList<>();
		for (String kind : KINDS) {
			if (part.get(kind) != null) {
				converted.add(of(part, kind, data(part, kind)));
			}
		}
		return converted.isEmpty() ? List.of(of(part, TEXT, JsonStrings.of(""))) : converted;
	}

	private static JsonText of(JsonObject part, String kind, JsonText data) {
		Map<String, JsonText> members = new LinkedHashMap<>(part.members());
		members.keySet().removeIf((name) -> !FIELDS_OF_ANY_KIND.contains(name) && !isVideo(kind, name));
		members.put(kind, data);
		return new JsonObject("", members).asJson();
	}

	private static boolean isVideo(String kind, String name) {
		return MEDIA.contains(kind) && name.equals("videoMetadata");
	}

	private static JsonText data(JsonObject part, String kind) {
		Set<String> known = KNOWN.get(kind);
		if (known == null) {
			return part.required(kind);
		}
		Map<String, JsonText> members = new LinkedHashMap<>(part.requiredObject(kind).members());
		members.keySet().retainAll(known);
		members.values().removeIf(JsonStrings.of("")::equals);
		removeUnlessObject(members, "args");
		removeUnlessObject(members, "response");
		REQUIRED.getOrDefault(kind, Map.of()).forEach(members::putIfAbsent);
		return new JsonObject("", members).asJson();
	}

	private static void removeUnlessObject(Map<String, JsonText> members, String name) {
		JsonText value = members.get(name);
		if (value != null && !value.isObject()) {
			members.remove(name);
		}
	}

}
