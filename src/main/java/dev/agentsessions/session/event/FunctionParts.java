package dev.agentsessions.session.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.StorableText;
import dev.agentsessions.session.event.EventLinks.CallKey;

/**
 * Finds function calls and their responses in the content of an event. Content belongs to
 * its sender, so its names are accepted in both spellings.
 */
public final class FunctionParts {

	static final String CONTENT = "content";

	/** Maximum length of the id of a function call that is stored, in characters. */
	static final int MAX_ID_CHARS = 8192;

	private FunctionParts() {
	}

	/** Returns the function calls of an event. */
	public static List<JsonObject> calls(JsonObject event) {
		JsonText content = event.get(CONTENT);
		return (content != null && mayCall(content)) ? parts(event, "functionCall", "function_call") : List.of();
	}

	/** Returns the function responses of an event. */
	public static List<JsonObject> responses(JsonObject event) {
		JsonText content = event.get(CONTENT);
		return (content != null && mayAnswer(content)) ? parts(event, "functionResponse", "function_response")
				: List.of();
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

	private static List<JsonObject> parts(JsonObject event, String name, String otherName) {
		JsonObject content = objectIn(event, CONTENT);
		JsonText parts = (content != null) ? content.get("parts") : null;
		if (parts == null || !parts.isArray()) {
			return List.of();
		}
		List<JsonObject> found = new ArrayList<>();
		for (JsonText element : parts.elements(CONTENT)) {
			JsonObject part = object(element);
			JsonObject function = (part != null) ? objectIn(part, (part.get(name) != null) ? name : otherName) : null;
			if (function != null) {
				found.add(function);
			}
		}
		return found;
	}

	/**
	 * Returns a member that is an object; {@code null} if there is none or it cannot be
	 * parsed: the service refuses no event because of its content.
	 */
	static @Nullable JsonObject objectIn(JsonObject object, String name) {
		JsonText value = object.get(name);
		return (value != null) ? object(value) : null;
	}

	private static @Nullable JsonObject object(JsonText value) {
		try {
			return value.isObject() ? JsonObject.of(value) : null;
		}
		catch (JsonException.InvalidShape ex) {
			return null;
		}
	}

}
