package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Pages from elsewhere that are open in a browser on this machine reach nothing, although
 * the service asks nobody who he is.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "agent-sessions.embedded.keep-data=false",
		"agent-sessions.security.cors-origins=https://chat.example.com" })
class BrowserTests {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	private static final Set<String> HEADERS_OF_PAGES = Set.of("X-Frame-Options", "X-XSS-Protection",
			"Content-Security-Policy", "Referrer-Policy", "Pragma", "Expires");

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "127.0.0.1", "[::1]", "app.localhost", "LOCALHOST" })
	void answersToTheNamesOfThisMachine(String name) throws IOException {
		assertThat(send("GET", "Host: " + name)).startsWith("HTTP/1.1 200");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "0.0.0.0" })
	void answersToNoOtherName(String name) throws IOException {
		assertThat(send("GET", "Host: " + name)).startsWith("HTTP/1.1 403")
			.contains("FORBIDDEN", "application/problem+json", "agent-sessions.security.host-names");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "https://evil.example", "null", "http://localhost:1", "https://chat.example.com.evil.example" })
	void refusesPagesOfOtherOrigins(String origin) throws IOException {
		assertThat(send("POST", "Host: localhost:" + this.port + "\r\nOrigin: " + origin)).startsWith("HTTP/1.1 403")
			.contains("\"code\":\"FORBIDDEN\"", "agent-sessions.security.cors-origins")
			.doesNotContain("Access-Control-Allow-Origin");
	}

	@Test
	void letsPagesOfTheConfiguredOriginReadAnswersAndHeaders() throws IOException {
		assertThat(send("POST", "Host: localhost\r\nOrigin: https://chat.example.com")).startsWith("HTTP/1.1 200")
			.contains("Access-Control-Allow-Origin: https://chat.example.com")
			.containsPattern("Access-Control-Expose-Headers: .*ETag.*X-Expire-Time")
			.doesNotContain("Access-Control-Allow-Credentials");
		assertThat(send("OPTIONS", "Host: localhost\r\nOrigin: https://chat.example.com\r\n"
				+ "Access-Control-Request-Method: PATCH\r\nAccess-Control-Request-Headers: x-goog-api-key,if-match"))
			.startsWith("HTTP/1.1 200");
		assertThat(send("OPTIONS", "Host: localhost\r\nOrigin: https://chat.example.com\r\n"
				+ "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: if-none-match,x-custom-metadata"))
			.startsWith("HTTP/1.1 200");
	}

	@Test
	void takesItsOwnPagesForItsOwn() throws IOException {
		String self = "localhost:" + this.port;
		assertThat(send("GET", "Host: " + self + "\r\nOrigin: http://" + self)).startsWith("HTTP/1.1 200");
	}

	@Test
	void ignoresCredentialsWhereNobodyIsAskedForThem() throws IOException {
		assertThat(send("GET", "Host: localhost\r\nAuthorization: Bearer dev-token")).startsWith("HTTP/1.1 200");
	}

	@Test
	void sendsHeadersThatKeepBrowsersFromGuessingAndStoring() throws IOException {
		String answer = send("GET", "Host: localhost");
		assertThat(answer).contains("X-Content-Type-Options: nosniff\r\n", "Cache-Control: no-store\r\n");
		assertThat(headers(answer)).noneMatch(HEADERS_OF_PAGES::contains);
		assertThat(headers(send("PUT", "Host: localhost"))).noneMatch(HEADERS_OF_PAGES::contains);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/swagger-ui/index.html", "/swagger-ui/swagger-ui.css", "/" })
	void keepsPagesFromBeingFramedAndFromRunningScriptsOfOthers(String path) throws IOException {
		assertThat(send("GET", path, "Host: localhost")).contains("X-Content-Type-Options: nosniff\r\n",
				"X-Frame-Options: DENY\r\n", "Content-Security-Policy: default-src 'self'",
				"Referrer-Policy: no-referrer\r\n");
	}

	private static List<String> headers(String answer) {
		return answer.lines().takeWhile((line) -> !line.isEmpty()).map((line) -> line.split(":")[0]).toList();
	}

	private String send(String method, String headers) throws IOException {
		return send(method, SESSIONS, headers);
	}

	private String send(String method, String path, String headers) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			String request = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n" + headers
					+ "\r\nContent-Length: 0\r\n\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
