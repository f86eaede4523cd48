package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Only so many large bodies are there at once that the memory is enough for them. Here a
 * single body may be so large that there is no room for another.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "agent-sessions.embedded.keep-data=false", "agent-sessions.max-body-size=1GB" })
class RequestHeapFilterTests {

	private static final String PATH = "/apps/large/users/ann/sessions";

	private static final String LARGE = "{" + " ".repeat(2 * BodyReader.MAX_SMALL_BYTES);

	private final HttpClient client = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Test
	void keepsOthersOutUntilTheOneBeforeIsDone() throws Exception {
		try (Socket before = begin("Transfer-Encoding: chunked")) {
			write(before, "%x\r\n%s\r\n".formatted(LARGE.length(), LARGE));
			HttpResponse<String> refused = firstRefusal();
			assertThat(refused.body()).contains("Too many large requests");
			assertThat(refused.headers().firstValue("Retry-After")).contains("1");
			assertThat(post(BodyPublishers.ofString("{}")).statusCode()).isEqualTo(200);
			assertThat(post(ofUnknownLength("{}")).statusCode()).isEqualTo(200);
			write(before, "1\r\n}\r\n0\r\n\r\n");
			assertThat(new String(before.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.startsWith("HTTP/1.1 200");
		}
		assertThat(post(BodyPublishers.ofString(LARGE + "}")).statusCode()).isEqualTo(200);
	}

	@Test
	void keepsNobodyOutForABodyThatDoesNotCome() throws Exception {
		try (Socket announced = begin("Content-Length: " + (1 << 30))) {
			write(announced, "{");
			assertThat(post(BodyPublishers.ofString(LARGE + "}")).statusCode()).isEqualTo(200);
			assertThat(post(ofUnknownLength(LARGE + "}")).statusCode()).isEqualTo(200);
		}
	}

	@Test
	void takesNoLargeForm() throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + PATH))
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString("a=" + LARGE))
			.build();
		HttpResponse<String> refused = this.client.send(request, BodyHandlers.ofString());
		assertThat(refused.statusCode()).isEqualTo(413);
		assertThat(refused.body()).contains("server.tomcat.max-http-form-post-size");
	}

	/** What was sent just before may not have arrived yet. */
	private HttpResponse<String> firstRefusal() throws Exception {
		HttpResponse<String> response = post(BodyPublishers.ofString(LARGE + "}"));
		for (int attempt = 0; attempt < 10 && response.statusCode() != 503; attempt++) {
			response = post(BodyPublishers.ofString(LARGE + "}"));
		}
		assertThat(response.statusCode()).isEqualTo(503);
		return response;
	}

	private HttpResponse<String> post(BodyPublisher body) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + PATH))
			.header("Content-Type", "application/json")
			.POST(body)
			.build();
		return this.client.send(request, BodyHandlers.ofString());
	}

	private static BodyPublisher ofUnknownLength(String body) {
		return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
	}

	private Socket begin(String length) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
		write(socket, "POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
				+ "Content-Type: application/json\r\n" + length + "\r\n\r\n");
		return socket;
	}

	private static void write(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

}
