package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * In a container the service listens to everybody, and only the names that it is called
 * by tell a page whose own name leads here.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "agent-sessions.embedded.keep-data=false", "server.address=0.0.0.0",
				"agent-sessions.security.allow-anonymous=true", "agent-sessions.security.host-names=agent-sessions" })
class HostNamesTests {

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@ValueSource(strings = { "agent-sessions", "Agent-Sessions:8080", "localhost", "127.0.0.1:8080" })
	void answersToTheNamesThatAreSet(String name) throws IOException {
		assertThat(get(name)).startsWith("HTTP/1.1 200");
	}

	@Test
	void unknownHostNamesAreRefused() throws IOException {
		assertThat(get("evil.example:8080")).startsWith("HTTP/1.1 403").contains("agent-sessions.security.host-names");
	}

	private String get(String host) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			String request = "GET /list-apps HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
