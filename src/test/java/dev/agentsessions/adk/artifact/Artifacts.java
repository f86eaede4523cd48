package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Json;

/**
 * The artifacts of a session, or of a user, over HTTP.
 *
 * @param api the sessions of the user
 * @param path the path of the session, or of the user
 */
record Artifacts(Api api, String path) {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/** Those of a session, which is created. */
	static Artifacts of(Api api, String sessionId) {
		api.create("{'sessionId': '%s'}".formatted(sessionId)).ok();
		return new Artifacts(api, api.sessionPath(sessionId));
	}

	static Artifacts ofUser(Api api) {
		return new Artifacts(api, api.userPath());
	}

	String path(String name) {
		return this.path + "/artifacts/" + Api.encode(name);
	}

	Answer put(String name, String text, String... headers) {
		return put(name, text.getBytes(StandardCharsets.UTF_8), headers);
	}

	Answer put(String name, byte[] bytes, String... headers) {
		return send("PUT", path(name), bytes, headers);
	}

	Answer send(String method, String path, byte[] body, String... headers) {
		return this.api.http().send(method, path, BodyPublishers.ofByteArray(body), headers);
	}

	/** Saves a part, which may be written with single quotes. */
	Answer post(String name, String part, String... headers) {
		String body = "{\"filename\":%s,\"artifact\":%s}".formatted(Json.string(name), Json.of(part));
		return this.api.http().post(this.path + "/artifacts", body, headers);
	}

	Answer get(String name) {
		return this.api.http().get(path(name));
	}

	Answer get(String name, String below) {
		return this.api.http().get(path(name) + "/versions" + below);
	}

	Answer delete(String name, String... headers) {
		return send("DELETE", path(name), new byte[0], headers);
	}

	List<String> names() {
		return this.api.http()
			.get(this.path + "/artifacts")
			.ok()
			.json()
			.valueStream()
			.map(JsonNode::stringValue)
			.toList();
	}

	List<Integer> versions(String name) {
		return get(name, "").ok().json().valueStream().map(JsonNode::intValue).toList();
	}

	/** The raw bytes of the newest version. */
	HttpResponse<byte[]> content(String name, String... headers) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(
					URI.create("http://localhost:" + this.api.http().port() + path(name) + "/versions/latest:content"))
			.timeout(Duration.ofMinutes(2));
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	void assertHasBytes(String name, byte[] bytes) {
		HttpResponse<byte[]> answer = content(name);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo(bytes);
	}

}
