package dev.agentsessions.console.session;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.agentsessions.console.view.LenientFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventMarks;

/**
 * An event as the picture of its turn needs it.
 *
 * @param event the event
 * @param body its parsed body
 * @param marks the calls that wait after it, and those that it answers
 * @param parts the first parts of its content that can be read
 */
record TurnEvent(Event event, JsonObject body, EventMarks marks, List<JsonObject> parts) {

	private static final int MAX_PARTS = 200;

	private static final String USER = "user";

	static TurnEvent of(Event event) {
		JsonObject body = EventView.read(event);
		List<JsonObject> parts = LenientFields.elements(LenientFields.object(body, "content"), "parts")
			.stream()
			.limit(MAX_PARTS)
			.map(LenientFields::object)
			.filter(Objects::nonNull)
			.toList();
		return new TurnEvent(event, body, marks(event), parts);
	}

	private static EventMarks marks(Event event) {
		try {
			return EventMarks.of(event.body());
		}
		catch (JsonException ex) {
			return EventMarks.NONE;
		}
	}

	String invocation() {
		return LenientFields.text(this.body, EventFields.INVOCATION_ID);
	}

	String author() {
		return LenientFields.text(this.body, EventFields.AUTHOR);
	}

	String branch() {
		return LenientFields.text(this.body, "branch");
	}

	boolean isOfUser() {
		return author().equals(USER);
	}

	/** Returns whether it comes from a model: it has contents, tokens or an error. */
	boolean isOfModel() {
		return !this.parts.isEmpty() || this.body.get("usageMetadata") != null || EventView.error(this.body) != null;
	}

	List<JsonObject> calls() {
		return functions("functionCall", "function_call").toList();
	}

	List<JsonObject> responses() {
		return functions("functionResponse", "function_response").toList();
	}

	/** Returns its texts and the functions that it calls. */
	String words() {
		Stream<String> texts = this.parts.stream().map((part) -> LenientFields.text(part, "text"));
		Stream<String> calls = calls().stream().map((call) -> "calls " + LenientFields.text(call, "name"));
		return Stream.concat(texts, calls).filter((text) -> !text.isBlank()).collect(Collectors.joining(" · "));
	}

	/**
	 * Returns the time of the event.
	 * @param stored whether that is when it was stored, and not the time that its sender
	 * gave it
	 */
	Instant time(boolean stored) {
		try {
			return stored ? this.event.commitTime() : EventFields.timeOf(this.body);
		}
		catch (JsonException | ArithmeticException | NumberFormatException | DateTimeException ex) {
			return this.event.commitTime();
		}
	}

	private Stream<JsonObject> functions(String... names) {
		return this.parts.stream().map((part) -> LenientFields.object(part, names)).filter(Objects::nonNull);
	}

}
