package dev.agentsessions.vertex.event;

import java.util.Map;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/** Sessions of the protocol, as far as their values are read and written as in events. */
public final class WireSessions {

	private WireSessions() {
	}

	/**
	 * The fields of a session in a request, in camelCase and without those that are null.
	 * @param sent the session, in camelCase or snake_case
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 */
	public static JsonObject fields(JsonObject sent) {
		return Messages.SESSION.read(sent);
	}

	/** What of a state a client can read. */
	public static Map<String, JsonText> state(Map<String, JsonText> state, ClientLibrary client) {
		return client.isAdkJava() ? AdkJavaEvents.toJava(state) : state;
	}

}
