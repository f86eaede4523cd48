// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sessions of the service that have conversations. Each request may arrive twice,
 * because events have ids, and creations have a key.
 */
class ConversationSessions {

	/** Reads texts of any length: the service limits the size of an event. */
	static final JsonMapper JSON = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
			.build())
		.build();

	private static final Set<Integer> TEMPORARY = Set.of(429, 502, 503, 504);

	private static final int PAGE = 100;

	private final ServiceConnection connection;

	private final RetryTemplate retries;

	ConversationSessions(ServiceConnection connection) {
		this.connection = connection;
		this.retries = new RetryTemplate(RetryPolicy.builder()
			.maxRetries(connection.patience().isZero() ? 0 : Long.MAX_VALUE)
			.timeout(connection.patience())
			.delay(Duration.ofMillis(100))
			.jitter(Duration.ofMillis(50))
			.multiplier(2)
			.maxDelay(Duration.ofSeconds(5))
			.predicate(ConversationSessions::isTemporary)
			.build());
	}

	/** A conversation of a user is a session of an app. */
	record Key(String app, String user, String sessionId) {

		private String path(String action) {
			return listOf(this.app, this.user) + "/" + Names.inPath(this.sessionId) + action;
		}

	}

	/**
	 * A session as it was read.
	 *
	 * @param tag the entity tag, null if there is no such session
	 * @param window the ids of the events with the messages of the window
	 * @param events the newest events
	 */
	record Read(@Nullable String tag, List<String> window, List<JsonNode> events) {

		static final Read NOTHING = new Read(null, List.of(), List.of());

	}

	/** Reads a session with its newest events, or without events. */
	Read read(Key key, boolean events) {
		try {
			HttpResponse<String> response = send(key.user(), "GET", key.path("?numRecentEvents=" + (events ? PAGE : 0)),
					null, Map.of());
			JsonNode session = parse(response.body());
			List<String> window = new ArrayList<>();
			session.path("state").path(MessageFormat.WINDOW).forEach((id) -> window.add(id.asString()));
			return new Read(tag(response), window, List.copyOf(session.path("events").values()));
		}
		catch (AgentSessionsRequestException ex) {
			if (ex.code().equals("SESSION_NOT_FOUND")) {
				return Read.NOTHING;
			}
			throw ex;
		}
	}

	/** Reads events by their ids. */
	List<JsonNode> events(Key key, List<String> ids) {
		List<JsonNode> events = new ArrayList<>();
		for (int first = 0; first < ids.size(); first += PAGE) {
			ObjectNode body = JSON.createObjectNode();
			ids.subList(first, Math.min(ids.size(), first + PAGE)).forEach(body.putArray("ids")::add);
			JsonNode found = parse(send(key.user(), "POST", key.path("/events:get"), body, Map.of()).body());
			events.addAll(found.path("events").values());
		}
		return events;
	}

	/** Reads the events from a number on, without those that a rewind took back. */
	List<JsonNode> events(Key key, long fromSeq) {
		String path = key.path("?view=context&fromSeq=" + fromSeq);
		return List.copyOf(parse(send(key.user(), "GET", path, null, Map.of()).body()).path("events").values());
	}

	/** Creates a session without events, and returns its entity tag. */
	@Nullable String create(Key key, ObjectNode state) {
		ObjectNode body = JSON.createObjectNode().put("sessionId", key.sessionId());
		body.set("state", state);
		return tag(send(key.user(), "POST", listOf(key.app(), key.user()), body,
				Map.of("Idempotency-Key", UUID.randomUUID().toString())));
	}

	/** Sets keys of the state. */
	void change(Key key, ObjectNode state) {
		ObjectNode body = JSON.createObjectNode();
		body.set("stateDelta", state);
		send(key.user(), "PATCH", key.path(""), body, Map.of());
	}

	/** Appends events after those of others. */
	void append(Key key, List<ObjectNode> events) {
		append(key, events, Map.of());
	}

	/** Appends events if the session has not changed, and returns its entity tag. */
	@Nullable String append(Key key, String tag, List<ObjectNode> events) {
		return append(key, events, Map.of("If-Match", tag));
	}

	private @Nullable String append(Key key, List<ObjectNode> events, Map<String, String> headers) {
		ObjectNode body = JSON.createObjectNode();
		body.putArray("events").addAll(events);
		return tag(send(key.user(), "POST", key.path("/events:batch"), body, headers));
	}

	void delete(Key key) {
		send(key.user(), "DELETE", key.path(""), null, Map.of());
	}

	/**
	 * Lists sessions with their revisions and states.
	 * @param user the owner, or null for the sessions of all users
	 * @param sessionId the id of the sessions, or null for any
	 */
	List<JsonNode> list(String app, @Nullable String user, @Nullable String sessionId) {
		String path = listOf(app, user) + "?includeRevision=true"
				+ ((sessionId != null) ? "&sessionId=" + Names.inPath(sessionId) : "");
		List<JsonNode> sessions = new ArrayList<>();
		for (String page = ""; page != null;) {
			HttpResponse<String> response = send((user != null) ? user : "", "GET", path + page, null, Map.of());
			sessions.addAll(parse(response.body()).values());
			page = response.headers()
				.firstValue("X-Next-Page-Token")
				.map((token) -> "&pageToken=" + Names.inPath(token))
				.orElse(null);
		}
		return sessions;
	}

	private static String listOf(String app, @Nullable String user) {
		return "/apps/" + Names.inPath(app) + ((user != null) ? "/users/" + Names.inPath(user) : "") + "/sessions";
	}

	private HttpResponse<String> send(String user, String method, String path, @Nullable JsonNode body,
			Map<String, String> headers) {
		try {
			return this.retries.execute(() -> attempt(user, method, path, body, headers));
		}
		catch (RetryException ex) {
			if (ex.getCause() instanceof RuntimeException problem) {
				throw problem;
			}
			throw new IllegalStateException("No answer from " + this.connection.url(), ex.getCause());
		}
	}

	private HttpResponse<String> attempt(String user, String method, String path, @Nullable JsonNode body,
			Map<String, String> headers) throws IOException {
		HttpRequest.Builder request = this.connection.request(path)
			.header("Content-Type", "application/json")
			.method(method, (body != null) ? BodyPublishers.ofString(body.toString()) : BodyPublishers.noBody());
		headers.forEach(request::header);
		String token = this.connection.token().apply(user);
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		HttpResponse<String> response = this.connection.send(request.build());
		if (response.statusCode() >= 300) {
			JsonNode problem = parse(response.body());
			throw new AgentSessionsRequestException(response.statusCode(), problem.path("code").asString("UNKNOWN"),
					problem.path("detail").asString());
		}
		return response;
	}

	private static @Nullable String tag(HttpResponse<String> response) {
		return response.headers().firstValue("ETag").orElse(null);
	}

	private static boolean isTemporary(Throwable problem) {
		return problem instanceof IOException
				|| problem instanceof AgentSessionsRequestException refused && TEMPORARY.contains(refused.status());
	}

	/** Text that is not JSON comes from a proxy, and becomes the detail of the error. */
	private static JsonNode parse(String text) {
		try {
			return JSON.readTree(text);
		}
		catch (JacksonException ex) {
			return JSON.createObjectNode().put("detail", text);
		}
	}

}
