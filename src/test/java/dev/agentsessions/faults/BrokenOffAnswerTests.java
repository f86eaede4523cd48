package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.LogsErrors;

/** An answer that the service cannot finish does not look like a whole one. */
@HttpTest
@LogsErrors
class BrokenOffAnswerTests {

	private static final String SESSION = "/apps/broken/users/u/sessions/s";

	/** More than sockets keep for a client that does not read. */
	private static final int EVENTS = 120;

	private static final int EVENT_SIZE = 100_000;

	private static final String LAST_CHUNK = "0\r\n\r\n";

	private final Http http;

	BrokenOffAnswerTests(Http http) {
		this.http = http;
	}

	/** In HTTP/1.0 only the JSON itself shows where an answer ends. */
	@ParameterizedTest
	@ValueSource(strings = { "1.0", "1.1" })
	void hasNoEndIfTheSessionIsDeletedMeanwhile(String version) throws IOException {
		this.http.post(SESSION, "{}").ok();
		String event = "{\"filler\":\"" + "x".repeat(EVENT_SIZE) + "\"}";
		this.http
			.post(SESSION + "/events:batch",
					"{\"events\":[" + String.join(",", Collections.nCopies(EVENTS, event)) + "]}")
			.ok();
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(EVENT_SIZE);
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.http.port()));
			String request = "GET " + SESSION + " HTTP/" + version + "\r\nHost: localhost\r\nConnection: close\r\n\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			String begin = new String(socket.getInputStream().readNBytes(EVENT_SIZE), StandardCharsets.US_ASCII);
			assertThat(begin).startsWith("HTTP/1.1 200");
			assertThat(begin.contains("Transfer-Encoding: chunked")).isEqualTo(version.equals("1.1"));
			this.http.delete(SESSION);
			String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			assertThat(rest.length()).isLessThan(EVENTS * EVENT_SIZE);
			assertThat(rest.substring(rest.length() - 100)).doesNotContain("problem").doesNotEndWith(LAST_CHUNK);
			assertThat(rest.stripTrailing()).doesNotEndWith("]}");
		}
	}

}
