package dev.agentsessions.vertex.event;

import java.util.Map;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * Reads and writes the session fields whose types also occur in events.
 */
public final class WireSessions {

	private WireSessions() {
	}

	/**
	 * Returns the fields of a session in a request, in camelCase and without null values.
	 * @param sent the session, in camelCase or snake_case
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 */
	public static JsonObject fields(JsonObject sent) {
		return Messages.SESSION.read(sent);
	}

	/** Returns the keys of a state that a client can read. */
	public static Map<String, JsonText> state(Map<String, JsonText> state, ClientLibrary client) {
		return client.isAdkJava() ? AdkJavaEvents.toJava(state) : state;
	}

}
