package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.support.SlowSender;

/** A client that sends slowly, or stops, does not keep the service waiting. */
@Tag("slow")
@TestPropertySource(properties = { "agent-sessions.body-timeout=500ms", "server.tomcat.connection-timeout=1s" })
class SlowBodyTests extends SecuredServiceTest {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	@Test
	void endsABodyThatDripsInTime() throws IOException {
		assertThat(answerToSlowBody(SESSIONS, Keys.AGENT.key(), "Content-Length: 1000")).startsWith("HTTP/1.1 408")
			.contains("REQUEST_TIMEOUT", "agent-sessions.body-timeout");
	}

	@Test
	void endsAFormOfACallerWithoutCredentialsThatDripsInTime() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
			socket.setSoTimeout(20_000);
			socket.getOutputStream()
				.write(("POST /console/sign-in HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
						+ "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n_csrf=")
					.getBytes(StandardCharsets.US_ASCII));
			SlowSender body = SlowSender.start(socket.getOutputStream(), "a", Duration.ofMillis(10));
			try {
				assertThat(answer(socket)).startsWith("HTTP/1.1 408");
			}
			finally {
				body.close();
			}
		}
	}

	@Test
	void endsABodyThatStops() throws IOException {
		assertThat(answerTo(Keys.AGENT.key(), "Content-Length: 1000", " ")).startsWith("HTTP/1.1 408")
			.contains("REQUEST_TIMEOUT");
	}

	@Test
	void endsAChunkedBodyThatStops() throws IOException {
		assertThat(answerTo(Keys.AGENT.key(), "Transfer-Encoding: chunked", "")).startsWith("HTTP/1.1 408");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 1000000", "Transfer-Encoding: chunked" })
	void doesNotWaitForTheRestOfABodyThatIsRefused(String length) throws IOException {
		assertThat(answerTo("wrong", length, "")).startsWith("HTTP/1.1 401").contains("UNAUTHENTICATED");
	}

	@Test
	void doesNotWaitForABodyThatIsRefusedAndDrips() throws IOException {
		assertThat(answerToSlowBody(SESSIONS, "wrong", "Content-Length: 1000000")).startsWith("HTTP/1.1 401");
	}

	@Test
	void doesNotWaitForTheBodyOfARequestWhosePathIsInvalid() throws IOException {
		assertThat(answerToSlowBody("/apps/%zz", Keys.AGENT.key(), "Content-Length: 1000000"))
			.startsWith("HTTP/1.1 400");
	}

	@Test
	void answersAClientThatSendsALargeBodyWithAWrongKey() throws IOException {
		try (Socket socket = connect(SESSIONS, "wrong", "Content-Length: 20000000")) {
			socket.getOutputStream().write(new byte[20_000_000]);
			assertThat(answer(socket)).startsWith("HTTP/1.1 401").contains("UNAUTHENTICATED");
		}
	}

	private String answerTo(String key, String length, String bodyStart) throws IOException {
		try (Socket socket = connect(SESSIONS, key, length)) {
			socket.getOutputStream().write(bodyStart.getBytes(StandardCharsets.US_ASCII));
			return answer(socket);
		}
	}

	private String answerToSlowBody(String path, String key, String length) throws IOException {
		try (Socket socket = connect(path, key, length)) {
			SlowSender body = SlowSender.start(socket.getOutputStream(), " ", Duration.ofMillis(10));
			try {
				return answer(socket);
			}
			finally {
				body.close();
			}
		}
	}

	private Socket connect(String path, String key, String length) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
		socket.setSoTimeout(20_000);
		String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nx-goog-api-key: " + key
				+ "\r\nContent-Type: application/json\r\nConnection: close\r\n" + length + "\r\n\r\n";
		socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static String answer(Socket socket) throws IOException {
		return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
