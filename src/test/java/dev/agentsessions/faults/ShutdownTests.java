package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/** A replica that is asked to end refuses nothing, until nobody sends it anything. */
@Tag("slow")
class ShutdownTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final String EVENT = "{\"id\":\"last\",\"author\":\"a\"}";

	@TempDir
	private Path folder;

	@Test
	void servesEverythingWhileOnlyItsReadinessSaysNoAndFinishesWhatIsUnderWay() throws IOException {
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.drain-period=10s")) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			Socket underWay = begin(http.port());
			service.terminate();
			awaitNotReady(http);
			Answer served = http.post(SESSION + "/events", "{\"id\":\"drained\"}").ok();
			assertThat(served.header("Connection")).hasValue("close");
			assertThat(http.post("/apps/a/users/u/sessions/new", "{}").status()).isEqualTo(200);
			assertThat(http.get("/actuator/health/liveness").status()).isEqualTo(200);
			awaitClosed(http);
			assertThat(end(underWay)).startsWith("HTTP/1.1 200").contains("\"id\":\"last\"");
			underWay.close();
			assertThat(service.exitCode()).isEqualTo(143);
		}
		try (ServiceProcess service = ServiceProcess.start(this.folder)) {
			service.http().get(SESSION + "/events/drained").ok();
			service.http().get(SESSION + "/events/last").ok();
		}
	}

	private static void awaitNotReady(Http http) {
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.until(() -> http.get("/actuator/health/readiness").status() == 503);
	}

	private static void awaitClosed(Http http) {
		Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
				return !socket.isConnected();
			}
			catch (ConnectException ex) {
				return true;
			}
		});
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
