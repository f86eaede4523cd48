package dev.agentsessions.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.Answer;
import dev.agentsessions.Http;
import dev.agentsessions.embedded.ServiceProcess;

import static org.assertj.core.api.Assertions.assertThat;

/** A service that is asked to end finishes what it has begun, and begins nothing. */
@Tag("slow")
class ShutdownTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final String EVENT = "{\"id\":\"last\",\"author\":\"a\"}";

	@TempDir
	private Path folder;

	@Test
	void finishesAnAppendAnswers503ToNewOnesAndIsNotReady() throws IOException {
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.drain-period=3s")) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			try (Socket underWay = begin(http.port())) {
				service.terminate();
				Answer refused = awaitRefusal(http);
				assertThat(refused.problem(503, "UNAVAILABLE").header("Retry-After")).contains("1");
				assertThat(http.get("/actuator/health/readiness").status()).isEqualTo(503);
				assertThat(http.get("/actuator/health/liveness").status()).isEqualTo(200);
				assertThat(end(underWay)).startsWith("HTTP/1.1 200").contains("\"id\":\"last\"");
			}
			service.exitCode();
		}
		try (ServiceProcess service = ServiceProcess.start(this.folder)) {
			assertThat(service.http().get(SESSION + "/events/last").status()).isEqualTo(200);
		}
	}

	private static Answer awaitRefusal(Http http) {
		return Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.until(() -> http.post(SESSION + "/events", "{}"), (answer) -> answer.status() != 200);
	}

	/**
	 * Sends an append but for the last byte of its body, once the service waits for it.
	 */
	private static Socket begin(int port) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		String request = "POST " + SESSION + "/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
				+ "Expect: 100-continue\r\nContent-Length: " + EVENT.length() + "\r\n\r\n";
		send(socket, request);
		assertThat(read(socket)).startsWith("HTTP/1.1 100");
		send(socket, EVENT.substring(0, EVENT.length() - 1));
		return socket;
	}

	private static String end(Socket socket) throws IOException {
		send(socket, EVENT.substring(EVENT.length() - 1));
		return read(socket);
	}

	private static void send(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		socket.getOutputStream().flush();
	}

	private static String read(Socket socket) throws IOException {
		byte[] answer = new byte[16 * 1024];
		int length = socket.getInputStream().read(answer);
		return new String(answer, 0, Math.max(length, 0), StandardCharsets.UTF_8);
	}

}
