package dev.agentsessions.session.event;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.json.LenientFields;

/**
 * Finds errors that an event reports: its error code, and responses of tools that failed.
 * ADK answers with {@code error} for a tool that failed, tools of MCP with
 * {@code isError}.
 */
public final class EventErrors {

	private static final String ERROR = "error";

	private static final String IS_ERROR = "isError";

	/** The code of ADK Python for an invocation that a user or a client has stopped. */
	private static final JsonText ABORTED = new JsonText("\"INVOCATION_ABORTED\"");

	private static final JsonText FALSE = new JsonText("false");

	private static final JsonText TRUE = new JsonText("true");

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
				|| TRUE.equals(result.get(IS_ERROR));
	}

	/** Few contents have one of the names, so few are parsed for them. */
	private static boolean mayFail(@Nullable JsonText content) {
		return content != null && content.text().contains("rror\"") && FunctionParts.mayAnswer(content);
	}

}
