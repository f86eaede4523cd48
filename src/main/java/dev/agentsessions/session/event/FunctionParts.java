package dev.agentsessions.session.event;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.StorableText;
import dev.agentsessions.session.event.EventLinks.CallKey;

/**
 * Finds function calls and their responses in the content of an event. Content belongs to
 * its sender, so its names are accepted in both spellings.
 */
public final class FunctionParts {

	/** Maximum length of the id of a function call that is stored, in characters. */
	static final int MAX_ID_CHARS = 8192;

	private FunctionParts() {
	}

	/** Returns the function calls of an event. */
	public static List<JsonObject> calls(JsonObject event) {
		JsonText content = event.get(EventFields.CONTENT);
		return (content != null && mayCall(content)) ? functions(event, EventFields.FUNCTION_CALL) : List.of();
	}

	/** Returns the function responses of an event. */
	public static List<JsonObject> responses(JsonObject event) {
		JsonText content = event.get(EventFields.CONTENT);
		return (content != null && mayAnswer(content)) ? functions(event, EventFields.FUNCTION_RESPONSE) : List.of();
	}

	/** Returns whether a content may have responses, without parsing it. */
	static boolean mayAnswer(JsonText content) {
		return content.text().contains("unctionResponse") || content.text().contains("unction_response");
	}

	/** Returns whether a content may have calls, without parsing it. */
	static boolean mayCall(JsonText content) {
		return content.text().contains("unctionCall") || content.text().contains("unction_call");
	}

	/** Returns the {@linkplain CallKey keys} of calls or responses, in their order. */
	static List<String> keys(List<JsonObject> functions) {
		return functions.stream().map(FunctionParts::id).filter(Objects::nonNull).map(CallKey::of).distinct().toList();
	}

	/**
	 * Returns the id of a call or a response, {@code null} if it is missing or cannot be
	 * stored.
	 */
	static @Nullable String id(JsonObject function) {
		JsonText id = function.get("id");
		String text = (id != null && id.isString()) ? id.string("id") : "";
		return (!text.isEmpty() && isStorable(text)) ? text : null;
	}

	/** Returns whether the store can keep an id and find it. */
	static boolean isStorable(String id) {
		return id.length() <= MAX_ID_CHARS && StorableText.test(id);
	}

	/**
	 * Returns the parts of the content of an event that can be read; none if there is no
	 * event.
	 */
	public static Stream<JsonObject> of(@Nullable JsonObject event) {
		return LenientFields.elements(LenientFields.object(event, EventFields.CONTENT), EventFields.PARTS)
			.stream()
			.map(LenientFields::object)
			.filter(Objects::nonNull);
	}

	private static List<JsonObject> functions(JsonObject event, String name) {
		return of(event).map((part) -> LenientFields.object(part, name)).filter(Objects::nonNull).toList();
	}

}
