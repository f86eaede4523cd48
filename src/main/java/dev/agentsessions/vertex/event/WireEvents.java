package dev.agentsessions.vertex.event;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.TranslationCost;

/**
 * Converts events of the protocol to stored events and back, for the client library of
 * the request. Source: {@code session.proto} of {@code google.cloud.aiplatform.v1beta1},
 * and the session services of the ADKs.
 */
public final class WireEvents {

	/** What the conversion of a stored event allocates at most, as measured by a test. */
	public static final TranslationCost COST = new TranslationCost(14, 650);

	private WireEvents() {
	}

	/**
	 * Converts an event of the protocol to a stored event.
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 * @throws SessionException.InvalidArgument if a field has an invalid value, or the
	 * author is missing
	 */
	public static JsonObject toStored(JsonObject sent, ClientLibrary client) {
		ParsedEvent event = EventMapping.toStored(sent);
		JsonObject stored = (client.isAdkJava() ? AdkJavaEvents.fromJava(event) : event).toObject();
		return JsonObject.of(stored.toJson());
	}

	/**
	 * Converts a stored event to an event of the protocol, which is not written yet.
	 * @param name its full resource name
	 * @param client the client library that reads it
	 * @param version the version of the API in the request
	 */
	public static JsonText fromStored(Event stored, String name, ClientLibrary client, ApiVersion version) {
		ParsedEvent event = EventMapping.fromStored(stored, name);
		ParsedEvent readable = (version == ApiVersion.V1) ? V1Projection.of(event) : PythonEvent.of(event);
		return (client.isAdkJava() ? AdkJavaEvents.toJava(readable) : readable).toObject().asJson();
	}

}
