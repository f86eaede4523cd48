package dev.agentsessions.vertex.event;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;

/**
 * Translates events between the protocol and what is stored, for the client library that
 * is at the other end. Source: {@code session.proto} of
 * {@code google.cloud.aiplatform.v1beta1}, and the session services of the ADKs.
 */
public final class WireEvents {

	private WireEvents() {
	}

	/**
	 * An event as it is stored, from one of the protocol.
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 * @throws SessionException.InvalidArgument if a field has a value that is not
	 * allowed, or the author is missing
	 */
	public static JsonObject toStored(JsonObject sent, ClientLibrary client) {
		ParsedEvent event = EventMapping.toStored(sent);
		return (client.isAdkJava() ? AdkJavaEvents.fromJava(event) : event).whole();
	}

	/**
	 * An event of the protocol, from one as it is stored.
	 * @param name its full name
	 * @param client who is to read it
	 * @param version the version of the API in which it is asked for
	 */
	public static JsonText fromStored(Event stored, String name, ClientLibrary client, ApiVersion version) {
		ParsedEvent event = EventMapping.fromStored(stored, name);
		ParsedEvent readable = (version == ApiVersion.V1) ? V1Projection.of(event) : PythonEvent.of(event);
		return (client.isAdkJava() ? AdkJavaEvents.toJava(readable) : readable).whole().toJson();
	}

}
