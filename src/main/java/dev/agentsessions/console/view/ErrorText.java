package dev.agentsessions.console.view;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.session.event.EventFields;

/** The text of an error that an event or a function response reports. */
public final class ErrorText {

	private ErrorText() {
	}

	/** Returns the code and the message of an event; blank for none. */
	public static String ofEvent(@Nullable JsonObject event) {
		return (LenientFields.text(event, EventFields.ERROR_CODE) + " "
				+ LenientFields.text(event, EventFields.ERROR_MESSAGE))
			.strip();
	}

	/**
	 * Returns the error of a function response. ADK answers with an error, tools of MCP
	 * with a content.
	 */
	public static String ofResponse(JsonObject response) {
		JsonObject result = LenientFields.object(response, "response");
		String error = LenientFields.text(result, "error");
		if (!error.isBlank() && !error.equals("true")) {
			return error;
		}
		String content = LenientFields.elements(result, "content")
			.stream()
			.findFirst()
			.map((first) -> LenientFields.text(LenientFields.object(first), EventFields.TEXT))
			.orElse("");
		return content.isBlank() ? LenientFields.text(response, "response") : content;
	}

}
