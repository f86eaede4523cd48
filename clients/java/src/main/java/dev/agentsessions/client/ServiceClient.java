// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.adk.sessions.SessionException;
import com.google.adk.sessions.SessionNotFoundException;

/**
 * Sends requests until they are answered. All of ours may arrive twice, since events and sessions have ids.
 *
 * @param token the token of a user, or null for none
 * @param timeout for one attempt
 */
record ServiceClient(HttpClient http, String url, UnaryOperator<String> token, Duration timeout) {

	private static final int ATTEMPTS = 6;

	private static final long LONGEST_PAUSE = 10_000;

	static final Set<Integer> TEMPORARY = Set.of(429, 502, 503, 504);

	private static final ObjectMapper JSON = new ObjectMapper();

	record Answer(JsonNode body, HttpHeaders headers) {

		String header(String name) {
			return this.headers.firstValue(name).orElse(null);
		}

	}

	Answer send(String user, String method, String path, String body, Map<String, String> headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.url + path))
			.timeout(this.timeout)
			.header("Content-Type", "application/json")
			.method(method, (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody());
		headers.forEach(request::header);
		try {
			for (int attempt = 1;; attempt++) {
				String token = this.token.apply(user);
				if (token != null) {
					request.setHeader("Authorization", "Bearer " + token);
				}
				long pause = (50L << attempt) + ThreadLocalRandom.current().nextLong(50L << attempt);
				try {
					HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
					if (attempt == ATTEMPTS || !TEMPORARY.contains(response.statusCode())) {
						return answer(response);
					}
					long asked = retryAfter(response.headers()).toMillis();
					pause = (asked > 0) ? asked : pause;
				}
				catch (IOException ex) {
					if (attempt == ATTEMPTS) {
						throw new SessionException(ex);
					}
				}
				Thread.sleep(Math.min(pause, LONGEST_PAUSE));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException(ex);
		}
	}

	private static Answer answer(HttpResponse<String> response) {
		if (response.statusCode() < 300) {
			return new Answer(parse(response.body()), response.headers());
		}
		throw problem(response.statusCode(), response.headers(), response.body());
	}

	/** What an answer says that is no success. */
	static RuntimeException problem(int status, HttpHeaders headers, String text) {
		JsonNode body = parse(text);
		String detail = body.path("detail").asText();
		String code = body.path("code").asText("UNKNOWN");
		return switch (code) {
			case "STALE_SESSION" -> new StaleSessionException(status, detail);
			case "SESSION_NOT_FOUND" -> new SessionNotFoundException(detail);
			case "SESSION_BUSY" -> new SessionBusyException(status, detail, body.path("holder").asText(),
					WireFormat.instant(body.path("expireTime")), retryAfter(headers));
			case "LEASE_LOST" -> new LeaseLostException(status, detail);
			default -> new AgentSessionsException(status, code, detail);
		};
	}

	static Duration retryAfter(HttpHeaders headers) {
		return Duration.ofSeconds(headers.firstValueAsLong("Retry-After").orElse(0));
	}

	/** What is no JSON comes from something before the service, and is shown as it is. */
	static JsonNode parse(String text) {
		try {
			return JSON.readTree(text);
		}
		catch (JsonProcessingException ex) {
			return JSON.createObjectNode().put("detail", text);
		}
	}

}
