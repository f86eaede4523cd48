package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.support.HeldRequest;

class ArrivedRequestsTests {

	@Test
	void requestOnAnOpenConnectionIsAnsweredWhenThePortIsClosed() throws IOException {
		ConfigurableApplicationContext service = SpringApplication.run(AgentSessionsApplication.class,
				"--server.port=0", "--agent-sessions.embedded.keep-data=false", "--agent-sessions.drain-period=1s");
		int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
			assertThat(get(open)).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
			CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::close);
			HeldRequest.awaitClosed(port);
			assertThat(get(open)).startsWith("HTTP/1.1 200").contains("Connection: close");
			stopped.join();
		}
	}

	private static String get(Socket connection) throws IOException {
		connection.getOutputStream()
			.write("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		byte[] response = new byte[16 * 1024];
		int length = connection.getInputStream().read(response);
		return new String(response, 0, Math.max(length, 0), StandardCharsets.UTF_8);
	}

}
