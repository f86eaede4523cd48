package dev.agentsessions.vertex.event;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * The event in its own form that ADK Rust keeps within the raw event, and compares with
 * every other field when it reads. What its version of the API has no place for, such as
 * the id of a function call, makes it send the content nowhere else. Source:
 * {@code vertex.rs} of adk-session 2.3.
 */
final class RustEvent {

	private static final String COPY = "_adkRust";

	private static final JsonText CANONICAL = JsonStrings.of("canonical");

	private RustEvent() {
	}

	/** Whether an event with this raw copy came from ADK Rust. */
	static boolean isIn(@Nullable JsonObject raw) {
		return copy(raw) != null;
	}

	/** Whether ADK Rust does not expect the content of an event beside its own form. */
	static boolean hasContentFor(@Nullable JsonObject raw) {
		JsonObject copy = copy(raw);
		return copy != null && !CANONICAL.equals(copy.get("contentSource"));
	}

	/** The content that stands only in its own form, for everybody else to read. */
	static @Nullable JsonText content(@Nullable JsonObject raw) {
		JsonObject copy = copy(raw);
		if (copy == null) {
			return null;
		}
		try {
			String text = copy.string("adkEvent");
			JsonObject content = (text != null) ? JsonObject.parse(text).object("content") : null;
			return (content != null) ? translated(content) : null;
		}
		catch (JsonException.InvalidShape | JsonException.Malformed ex) {
			return null;
		}
	}

	private static JsonText translated(JsonObject content) {
		return content.with("parts", FieldReaders.objects(content.objects("parts").stream().map(RustPart::translated)))
			.toJson();
	}

	private static @Nullable JsonObject copy(@Nullable JsonObject raw) {
		return (raw != null) ? raw.objectIfAny(COPY) : null;
	}

}
