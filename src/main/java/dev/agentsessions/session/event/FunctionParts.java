package dev.agentsessions.session.event;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers.StorableText;
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
		String id = function.stringIfAny("id");
		return (id != null && !id.isEmpty() && isStorable(id)) ? id : null;
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

	/**
	 * Finds errors that an event reports: its error code, and responses of tools that
	 * failed. ADK answers with {@code error} for a tool that failed, tools of MCP with
	 * {@code isError}.
	 */
	public static final class EventErrors {

		private static final String ERROR = "error";

		private static final String IS_ERROR = "isError";

		/**
		 * The code of ADK Python for an invocation that a user or a client has stopped.
		 */
		private static final JsonText ABORTED = new JsonText("\"INVOCATION_ABORTED\"");

		private static final JsonText FALSE = new JsonText("false");

		private static final JsonText EMPTY = new JsonText("\"\"");

		private EventErrors() {
		}

		/**
		 * Returns whether an event reports an error. An invocation that was stopped on
		 * purpose is none, whatever ADK answers to its calls.
		 * @param event the event, known names in camelCase
		 */
		static boolean test(JsonObject event) {
			return !isAborted(event) && (hasCode(event) || mayFail(event.get(EventFields.CONTENT))
					&& FunctionParts.responses(event).stream().anyMatch(EventErrors::failed));
		}

		/**
		 * Returns whether ADK has appended an event because its invocation was stopped.
		 * Source: {@code events/_abort_events.py} of ADK Python 2.13.
		 * @param event the event, known names in camelCase
		 */
		static boolean isAborted(JsonObject event) {
			return ABORTED.equals(event.get(EventFields.ERROR_CODE));
		}

		static boolean hasCode(JsonObject event) {
			JsonText code = event.get(EventFields.ERROR_CODE);
			return code != null && code.isString() && !code.equals(EMPTY);
		}

		/** Returns whether a function response says that its tool failed. */
		public static boolean failed(JsonObject response) {
			JsonObject result = LenientFields.object(response, "response");
			if (result == null) {
				return false;
			}
			JsonText error = result.get(ERROR);
			return error != null && !error.isNull() && !error.equals(FALSE) && !error.equals(EMPTY)
					|| JsonText.TRUE.equals(result.get(IS_ERROR));
		}

		/** Few contents have one of the names, so few are parsed for them. */
		private static boolean mayFail(@Nullable JsonText content) {
			return content != null && content.text().contains("rror\"") && FunctionParts.mayAnswer(content);
		}

	}

}
