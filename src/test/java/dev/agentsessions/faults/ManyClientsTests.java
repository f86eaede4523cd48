package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/** Clients that do nothing, or nothing good, cost the others neither time nor memory. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class ManyClientsTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final String LONG = "/apps/a/users/u/sessions/long";

	private final List<Socket> clients = new ArrayList<>();

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void starts(@TempDir Path folder) {
		this.service = ServiceProcess.start(folder, "--server.tomcat.connection-timeout=15s");
		this.http = this.service.http();
		this.http.post(SESSION, "{}").ok();
		this.http.post(LONG, "{}").ok();
		String event = "{\"filler\":\"" + "x".repeat(100_000) + "\"}";
		this.http
			.post(LONG + "/events:batch", "{\"events\":[" + String.join(",", Collections.nCopies(150, event)) + "]}")
			.ok();
	}

	@AfterAll
	void stops() {
		this.service.close();
	}

	@Test
	void maySayNothing() throws IOException {
		connect(1000);
		assertServesOthers();
	}

	@Test
	void mayStayAfterTheirAnswer() throws IOException {
		for (Socket client : connect(1000)) {
			send(client, "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
			assertThat(client.getInputStream().read()).isEqualTo('H');
		}
		assertServesOthers();
	}

	@Test
	void mayNotFinishTheirRequest() throws IOException {
		for (Socket client : connect(400)) {
			send(client, append(15_000_000) + "{\"filler\":\"");
		}
		assertServesOthers();
	}

	@Test
	void mayNotReadTheirAnswer() throws IOException {
		for (int number = 0; number < 100; number++) {
			Socket client = connect(1).get(number);
			send(client, "GET " + LONG + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
			assertThat(client.getInputStream().read()).isEqualTo('H');
		}
		assertServesOthers();
	}

	@Test
	void mayHangUpWhileTheyAreAnswered() throws IOException {
		for (Socket client : connect(100)) {
			send(client, "GET " + LONG + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
			client.setSoLinger(true, 0);
			client.close();
		}
		assertServesOthers();
	}

	private void assertServesOthers() throws IOException {
		this.http.post(SESSION + "/events", "{}").ok();
		this.http.get(LONG + "?numRecentEvents=1").ok();
		for (Socket client : this.clients) {
			client.close();
		}
		this.clients.clear();
		this.http.post(SESSION + "/events", "{}").ok();
		assertThat(this.service.log()).doesNotContain("OutOfMemoryError");
	}

	private static String append(int length) {
		return "POST " + SESSION + "/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
				+ "Content-Length: " + length + "\r\n\r\n";
	}

	private List<Socket> connect(int count) throws IOException {
		for (int i = 0; i < count; i++) {
			Socket client = new Socket();
			client.setReceiveBufferSize(4096);
			client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.http.port()));
			this.clients.add(client);
		}
		return this.clients;
	}

	private static void send(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

}
