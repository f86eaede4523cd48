package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Each request has an id, by which it is found in the log. */
@HttpTest
class RequestIdTests {

	private static final String MADE = "[0-9a-f]{12}-[0-9a-z]+";

	private static final String MISSING = "/apps/request-ids/users/u/sessions/missing";

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/request-ids/sessions/missing";

	private final Http http;

	RequestIdTests(Http http) {
		this.http = http;
	}

	@Test
	void requestIdOfCallerIsReturned() {
		assertThat(get("/health", "trip.4_b-A").header("X-Request-Id")).hasValue("trip.4_b-A");
		Answer problem = get(MISSING, "a".repeat(128)).problem(404, "SESSION_NOT_FOUND");
		assertThat(problem.text("/requestId")).isEqualTo("a".repeat(128));
	}

	@ParameterizedTest
	@ValueSource(strings = { "two words", "line\tend", "a;b", "\"quoted\"", "é" })
	void malformedRequestIdIsReplaced(String sent) {
		assertThat(get("/health", sent).header("X-Request-Id").orElseThrow()).matches(MADE);
	}

	@Test
	void tooLongRequestIdIsReplaced() {
		assertThat(get(MISSING, "a".repeat(129)).problem(404, "SESSION_NOT_FOUND").text("/requestId")).matches(MADE);
	}

	@Test
	void eachRequestGetsOwnId() {
		String first = this.http.get("/health").header("X-Request-Id").orElseThrow();
		String second = this.http.get("/health").header("X-Request-Id").orElseThrow();
		assertThat(first).matches(MADE).isNotEqualTo(second);
		assertThat(second).matches(MADE);
	}

	@Test
	void vertexErrorHasRequestId() {
		Answer answer = get(ENGINE, "trip-5");
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.text("/error/details/0/@type")).isEqualTo("type.googleapis.com/google.rpc.RequestInfo");
		assertThat(answer.text("/error/details/0/requestId")).isEqualTo("trip-5");
		assertThat(answer.header("X-Request-Id")).hasValue("trip-5");
	}

	/** Tomcat refuses it before any of our filters. */
	@Test
	void responseToMalformedRequestHasRequestId() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.http.port())) {
			String head = "GET /apps/%ff/users HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: trip-6\r\nConnection: close\r\n\r\n";
			socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(answer).startsWith("HTTP/1.1 400")
				.contains("X-Request-Id: trip-6\r\n", "\"requestId\":\"trip-6\"");
		}
	}

	private Answer get(String path, String id) {
		return this.http.send("GET", path, BodyPublishers.noBody(), "X-Request-Id", id);
	}

}
