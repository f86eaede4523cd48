package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;

/** What watches cost, and how many there may be. */
@Tag("slow")
class WatchLimitsTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final String WATCH = SESSION + "/events:watch";

	/** More than Tomcat keeps of what it needs for a request. */
	private static final int TOGETHER = 250;

	/** Tomcat keeps about 150 KB for each of these, 200 of them by default. */
	private static final String KEPT = "--server.tomcat.processor-cache=100";

	@TempDir
	private Path folder;

	@Test
	void aThousandIdleOnesTakeLessThan64MB() throws IOException {
		try (ServiceProcess service = ServiceProcess.start(this.folder, KEPT)) {
			Http http = service.http();
			for (int number = 0; number < 1000; number++) {
				http.post(SESSION + number, "{}").ok();
			}
			List<Socket> clients = new ArrayList<>();
			clients.add(connect(http, 0));
			long before = service.liveBytes();
			for (int first = 0; first < 1000; first += TOGETHER) {
				clients.addAll(connectTogether(http, first));
			}
			long bytes = service.liveBytes() - before;
			assertThat(bytes).isLessThan(64L << 20);
			http.post(SESSION + "7/events", "{\"author\":\"a\"}").ok();
			// The event comes; on a slow machine, heartbeats come first
			read(clients.get(8), "id: 1.");
			for (Socket client : clients) {
				client.close();
			}
			Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> service.liveBytes() < before + (24L << 20));
		}
	}

	@Test
	void holdNoThreadAndComeToAnEnd() {
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.watch.max=20",
				"--server.tomcat.threads.max=3", "--agent-sessions.watch.heartbeat=300ms")) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			List<EventSource> watches = new ArrayList<>();
			for (int number = 0; number < 20; number++) {
				watches.add(EventSource.open(http.port(), WATCH));
			}
			http.get(WATCH).problem(503, "UNAVAILABLE");
			assertThat(http.get(WATCH).header("Retry-After")).contains("1");
			http.post(SESSION + "/events", "{\"author\":\"a\"}").ok();
			watches.forEach((watch) -> assertThat(watch.next().seq()).isEqualTo(1));
			Awaitility.await().until(() -> watches.get(0).comments().size() > 3);
			watches.get(0).close();
			Awaitility.await().until(() -> http.get(WATCH).status() == 200);
			watches.forEach(EventSource::close);
		}
	}

	/** Its end is no reason to keep the connection of a client that does not read it. */
	@Test
	void doNotKeepWhoReadsNothingWhenTheyEnd() throws IOException {
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.watch.max=1")) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			String large = "{\"author\":\"a\",\"content\":{\"parts\":[{\"text\":\"" + "x".repeat(12 << 20) + "\"}]}}";
			http.post(SESSION + "/events", large).ok();
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
				client.getOutputStream()
					.write(("GET " + WATCH + "?afterSeq=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
						.getBytes(StandardCharsets.US_ASCII));
				assertThat(read(client, "data: {")).startsWith("HTTP/1.1 200");
				http.delete(SESSION);
				Awaitility.await()
					.atMost(Duration.ofMinutes(2))
					.pollInterval(Duration.ofSeconds(1))
					.until(() -> !isOpen(client));
			}
		}
	}

	/** Asks the kernel, as to read would be to let it go on. */
	private static boolean isOpen(Socket client) throws IOException {
		String here = ":%04X".formatted(client.getLocalPort());
		String there = ":%04X".formatted(client.getPort());
		try (Stream<String> lines = Stream.concat(Files.lines(Path.of("/proc/net/tcp")),
				Files.lines(Path.of("/proc/net/tcp6")))) {
			return lines.map((line) -> line.trim().split("\\s+"))
				.anyMatch((line) -> line[1].endsWith(there) && line[2].endsWith(here) && line[3].equals("01"));
		}
	}

	private static List<Socket> connectTogether(Http http, int first) throws IOException {
		List<Socket> clients = new ArrayList<>();
		for (int number = first; number < first + TOGETHER; number++) {
			clients.add(request(http, number));
		}
		for (Socket client : clients) {
			assertThat(read(client, "id: 0\n\n")).startsWith("HTTP/1.1 200");
		}
		return clients;
	}

	private static Socket connect(Http http, int session) throws IOException {
		Socket socket = request(http, session);
		assertThat(read(socket, "id: 0\n\n")).startsWith("HTTP/1.1 200");
		return socket;
	}

	private static Socket request(Http http, int session) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
		socket.setSoTimeout(20_000);
		socket.getOutputStream()
			.write(("GET " + SESSION + session + "/events:watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static String read(Socket socket, String end) throws IOException {
		StringBuilder text = new StringBuilder();
		long begin = System.nanoTime();
		while (text.indexOf(end) < 0) {
			int next = socket.getInputStream().read();
			assertThat(next).as("%s", text).isNotNegative();
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("%s", text).isLessThan(Duration.ofMinutes(5));
			text.append((char) next);
		}
		return text.toString();
	}

}
