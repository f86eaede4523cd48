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
final class StrictPart {

	private static final String TEXT = "text";

	private static final String INLINE_DATA = "inlineData";

	private static final String FILE_DATA = "fileData";

	private static final String FUNCTION_CALL = "functionCall";

	private static final String FUNCTION_RESPONSE = "functionResponse";

	private static final String MIME_TYPE = "mimeType";

	private static final String FILE_URI = "fileUri";

	private static final JsonText EMPTY = new JsonText("{}");

	private static final List<String> DATA = List.of(FUNCTION_CALL, FUNCTION_RESPONSE, INLINE_DATA, FILE_DATA,
			"executableCode", "codeExecutionResult", TEXT);

	private static final Set<String> BESIDE_DATA = Set.of("thought", "thoughtSignature", "mediaResolution");

	private static final Set<String> MEDIA = Set.of(INLINE_DATA, FILE_DATA);

	private static final Map<String, Set<String>> KNOWN = Map.of(INLINE_DATA, Messages.BLOB.names(), FILE_DATA,
			Messages.FILE.names(), FUNCTION_CALL, Messages.FUNCTION_CALL.names("id"), FUNCTION_RESPONSE,
			Messages.FUNCTION_RESPONSE.names("id", "willContinue", "scheduling"));

	private static final Map<String, Map<String, JsonText>> REQUIRED = Map.of(INLINE_DATA,
			Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), "data", JsonStrings.of("")), FILE_DATA,
			Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), FILE_URI, JsonStrings.of("unknown:")),
			FUNCTION_RESPONSE, Map.of("name", JsonStrings.of("unknown"), "response", EMPTY));

	private StrictPart() {
	}

	/** Returns parts with the same data: one for each kind of data. */
	static List<JsonText> of(JsonObject part) {
		List<JsonText> strict = new ArrayList<>();
		for (String kind : DATA) {
			if (part.get(kind) != null) {
				strict.add(of(part, kind, data(part, kind)));
			}
		}
		return strict.isEmpty() ? List.of(of(part, TEXT, JsonStrings.of(""))) : strict;
	}

	private static JsonText of(JsonObject part, String kind, JsonText data) {
		Map<String, JsonText> members = new LinkedHashMap<>(part.members());
		members.keySet().removeIf((name) -> !BESIDE_DATA.contains(name) && !isVideo(kind, name));
		members.put(kind, data);
		return new JsonObject("", members).toJson();
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
		return new JsonObject("", members).toJson();
	}

	private static void removeUnlessObject(Map<String, JsonText> members, String name) {
		JsonText value = members.get(name);
		if (value != null && !value.isObject()) {
			members.remove(name);
		}
	}

}
