package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Whoever does not hear the answer asks again, with the same event id. */
@HttpTest
class LostAnswerTests {

	private static final String SESSION = "/apps/lost/users/u/sessions/s";

	private final Http http;

	LostAnswerTests(Http http) {
		this.http = http;
	}

	@Test
	void storesAnEventOnceHoweverOftenItsAnswerIsLost() throws IOException {
		this.http.post(SESSION, "{}").ok();
		String event = "{\"id\":\"e\",\"author\":\"a\",\"actions\":{\"stateDelta\":{\"k\":1}}}";
		for (int i = 0; i < 20; i++) {
			sendAndHangUp(event);
		}
		Answer answer = this.http.post(SESSION + "/events", event, "If-Match", "\"0\"").ok();
		assertThat(answer.at("/revision").longValue()).isEqualTo(1);
		assertThat(this.http.get(SESSION).at("/events")).hasSize(1);
	}

	private void sendAndHangUp(String event) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.http.port())) {
			String request = "POST " + SESSION
					+ "/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
					+ "If-Match: \"0\"\r\nContent-Length: " + event.length() + "\r\n\r\n" + event;
			socket.setSoLinger(true, 0);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream().flush();
		}
	}

}
