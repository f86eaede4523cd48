package dev.agentsessions.vertex;

import java.util.Set;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;

/** The field of its own into which ADK Rust up to 1.0 puts what it sends. */
final class RequestEnvelope {

	private RequestEnvelope() {
	}

	/**
	 * What was sent, whether it is wrapped or not.
	 * @throws JsonException.InvalidShape if there is no object in the wrapper
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
