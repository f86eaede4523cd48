package dev.agentsessions.console.session;

import java.util.List;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.pending.PendingCall;

/**
 * The answer of a person to a function call, as the form sends it.
 *
 * @param choice the button: {@code approve}, {@code refuse}, or another value to send the
 * text
 * @param text the text that the person typed; blank for none
 */
record CallAnswer(String choice, String text) {

	private static final String CONFIRMATION = "adk_request_confirmation";

	private static final String INPUT = "adk_request_input";

	private static final List<String> FIELDS_OF_CALL = List.of("invocationId", "branch", "isolationScope");

	/** Returns whether the call asks for the confirmation of another call. */
	static boolean isConfirmation(PendingCall call) {
		return call.name().equals(CONFIRMATION);
	}

	/** Returns whether the call asks for a text. */
	static boolean isInput(PendingCall call) {
		return call.name().equals(INPUT);
	}

	/**
	 * Returns the event with the function response. Like the event that ADK's runner
	 * stores, it has the invocation, the branch and the isolation scope of the call, so
	 * that the agent of the call sees it (ADK Python 2.13, {@code runners.py}).
	 * @param asked the event with the call
	 * @param caller identifies the person who answers
	 * @throws JsonException if the text is not the JSON that the call needs
	 */
	NewEvent toEvent(PendingCall call, JsonObject asked, String caller) {
		JsonText part = JsonObject.parse("{}")
			.with("id", JsonStrings.of(call.callId()))
			.with("name", JsonStrings.of(call.name()))
			.with("response", response(call).toJson())
			.toJson();
		JsonObject event = JsonObject.parse("{}");
		for (String field : FIELDS_OF_CALL) {
			JsonText value = asked.get(field);
			event = (value != null) ? event.with(field, value) : event;
		}
		return NewEvent.of(event.with("author", JsonStrings.of("user"))
			.with("content", new JsonText("{\"role\":\"user\",\"parts\":[{\"functionResponse\":" + part + "}]}"))
			.with("customMetadata", JsonObject.parse("{}").with("answeredBy", JsonStrings.of(caller)).toJson()));
	}

	/**
	 * Returns the response in the form that ADK expects: the fields of a
	 * {@code ToolConfirmation}; a text as {@code result}, which ADK's own web page sends,
	 * too (ADK Python 2.13, {@code workflow/utils/_rehydration_utils.py}); the status of
	 * any other call as in ADK's samples.
	 */
	private JsonObject response(PendingCall call) {
		if (isInput(call)) {
			return JsonObject.parse("{}").with("result", JsonStrings.of(this.text));
		}
		if (isConfirmation(call)) {
			JsonObject confirmation = JsonObject.parse("{\"confirmed\":" + this.choice.equals("approve") + "}");
			return this.text.isBlank() ? confirmation
					: confirmation.with("payload", JsonObject.parse(this.text).toJson());
		}
		return switch (this.choice) {
			case "approve" -> JsonObject.parse("{\"status\":\"approved\"}");
			case "refuse" -> JsonObject.parse("{\"status\":\"rejected\"}");
			default -> JsonObject.parse(this.text);
		};
	}

}
