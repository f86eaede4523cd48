package dev.agentsessions.vertex;

import java.util.Set;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;

/** Unwraps the field in which ADK Rust up to 1.0 sends a session or event. */
final class RequestEnvelope {

	private RequestEnvelope() {
	}

	/**
	 * Returns the content of a body, wrapped or not.
	 * @throws JsonException.InvalidShape if the wrapper contains no object
	 */
	static JsonObject unwrap(JsonObject body, String name) {
		if (!body.members().keySet().equals(Set.of(name))) {
			return body;
		}
		JsonObject content = body.object(name);
		if (content == null) {
			throw new JsonException.InvalidShape(name, "must be a JSON object");
		}
		return content;
	}

}
