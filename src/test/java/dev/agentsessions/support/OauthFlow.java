package dev.agentsessions.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * What ADK Python stores while a tool gets its credential by OAuth, and at the end a call
 * that waits for another one. Each secret begins with {@link #SECRET}.
 *
 * @param state the state to create the session with
 * @param events the events
 */
public record OauthFlow(JsonNode state, ArrayNode events) {

	public static final String SECRET = "SECRET-";

	private static final int REQUEST = 2;

	/** Reads what {@code flow.py} has written. */
	public static OauthFlow read() {
		try (InputStream file = Objects.requireNonNull(OauthFlow.class.getResourceAsStream("/oauth/flow.json"))) {
			String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
			// ADK before 2.13 also kept the client's secret in its requests
			JsonNode flow = Json.read(text.replace("\"clientId\": \"client-1\",",
					"\"clientId\": \"client-1\", \"clientSecret\": \"SECRET-client\","));
			ArrayNode events = (ArrayNode) flow.get("events");
			events.add(Json.read(events.get(REQUEST).toString().replaceAll("\"(adk-|id\":\"(?!adk-))\\w", "\"$1x")));
			return new OauthFlow(flow.get("state"), events);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The body that creates the session with this id. */
	public String creation(String sessionId) {
		return "{\"sessionId\":\"%s\",\"state\":%s}".formatted(sessionId, this.state);
	}

	/** The body that appends the events. */
	public String batch() {
		return "{\"events\":%s}".formatted(this.events);
	}

}
