// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.adk.sessions.SessionNotFoundException;

/**
 * Sends requests, with retries. Every request of this client may arrive twice, because
 * events have ids, and creations and saves have a key.
 */
record ServiceClient(AgentSessionService.Builder settings, Reach reach) {

	/** Reads texts of any length: the service limits the size of an event. */
	private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
		.build());

	private static final BodyHandler<JsonNode> READER = (head) -> BodySubscribers
		.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), ServiceClient::parse);

	ServiceClient(AgentSessionService.Builder settings) {
		this(settings, new Reach(settings.url()));
	}

	/** Returns a request without its method. */
	HttpRequest.Builder request(String user, String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder()
			.uri(URI.create(this.reach.address() + path))
			.timeout(this.settings.timeout());
		String token = this.settings.token().apply(user);
		return (token != null) ? request.header("Authorization", "Bearer " + token) : request;
	}

	HttpResponse<JsonNode> send(String user, String method, String path, String body, Map<String, String> headers)
			throws InterruptedException {
		return send(user, method, path, "application/json",
				(body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody(), headers);
	}

	/** Sends a body of any type. */
	HttpResponse<JsonNode> send(String user, String method, String path, String type, BodyPublisher body,
			Map<String, String> headers) throws InterruptedException {
		return exchange(() -> {
			HttpRequest.Builder request = request(user, path).header("Content-Type", type).method(method, body);
			headers.forEach(request::header);
			return request;
		}, READER, Function.identity());
	}

	/** Reads bytes as they are. */
	HttpResponse<byte[]> content(String user, String path) throws InterruptedException {
		return exchange(() -> request(user, path), BodyHandlers.ofByteArray(),
				(body) -> parse(new String(body, StandardCharsets.UTF_8)));
	}

	private <T> HttpResponse<T> exchange(Supplier<HttpRequest.Builder> request, BodyHandler<T> reader,
			Function<T, JsonNode> problem) throws InterruptedException {
		for (Attempts attempts = new Attempts(this.reach, this.settings.unavailableTimeout());;) {
			HttpRequest next = request.get().build();
			try {
				HttpResponse<T> response = this.settings.httpClient().send(next, reader);
				this.reach.answered();
				if (response.statusCode() < 300) {
					return response;
				}
				attempts.refused(response.statusCode(), problem(response, problem.apply(response.body())),
						retryAfter(response));
			}
			catch (IOException ex) {
				attempts.failed(ex);
			}
		}
	}

	/** Returns the header by which the service knows a retry of one creation or save. */
	static Map<String, String> retryKey() {
		return Map.of("Idempotency-Key", UUID.randomUUID().toString());
	}

	/** Returns the exception for an error response. */
	static RuntimeException problem(HttpResponse<?> response, JsonNode body) {
		int status = response.statusCode();
		String detail = body.path("detail").asText();
		String code = body.path("code").asText("UNKNOWN");
		return switch (code) {
			case "STALE_SESSION" -> new StaleSessionException(status, detail);
			case "SESSION_NOT_FOUND" -> new SessionNotFoundException(detail);
			case "SESSION_BUSY" -> new SessionBusyException(status, detail, body, retryAfter(response));
			case "LEASE_LOST" -> new LeaseLostException(status, detail);
			default -> new AgentSessionsException(status, code, detail);
		};
	}

	static Duration retryAfter(HttpResponse<?> response) {
		return Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElse(0));
	}

	/**
	 * Parses a response. Text that is not JSON comes from a proxy in front of the
	 * service, and becomes the detail of the error.
	 */
	static JsonNode parse(String text) {
		try {
			return JSON.readTree(text);
		}
		catch (JsonProcessingException ex) {
			return JSON.createObjectNode().put("detail", text);
		}
	}

}
