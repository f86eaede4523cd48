package dev.agentsessions.vertex.event;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * The copy of the event in its own form that ADK Rust puts in the raw event, and compares
 * with every other field when it reads the event. If the content has data without a field
 * in its version of the API, such as the id of a function call, ADK Rust sends the
 * content only in this copy. Source: {@code vertex.rs} of adk-session 2.3.
 */
final class RustEvent {

	private static final String COPY = "_adkRust";

	private static final JsonText CANONICAL = JsonStrings.of("canonical");

	private RustEvent() {
	}

	/** Returns whether an event with this raw copy came from ADK Rust. */
	static boolean isIn(@Nullable JsonObject raw) {
		return copy(raw) != null;
	}

	/**
	 * Returns whether ADK Rust expects the content of an event only in its own copy.
	 */
	static boolean hasContentFor(@Nullable JsonObject raw) {
		JsonObject copy = copy(raw);
		return copy != null && !CANONICAL.equals(copy.get("contentSource"));
	}

	/**
	 * Returns the content of the copy in the form of all other clients; {@code null} if
	 * it has none or it is malformed.
	 */
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
			.asJson();
	}

	private static @Nullable JsonObject copy(@Nullable JsonObject raw) {
		return (raw != null) ? raw.objectIfAny(COPY) : null;
	}

}
