package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * A client that gets only a part of an answer notices it and may ask again. The log shows
 * no error.
 */
@HttpTest
class CutAnswerTests {

	private static final String SESSIONS = "/apps/cut/users/u/sessions/";

	/** More of them, or the same again: -Dfaults.rounds=500 -Dfaults.seed=... */
	private static final int ROUNDS = Integer.getInteger("faults.rounds", 50);

	private static final int LENGTH = 200_000;

	private final long seed = Long.getLong("faults.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Http http;

	private final Proxy proxy;

	private final Http behindProxy;

	CutAnswerTests(Http http) {
		this.http = http;
		this.proxy = new Proxy(http.port());
		this.behindProxy = new Http(this.proxy.port());
	}

	@AfterEach
	void closes() {
		this.proxy.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "identity", "gzip" })
	void isNoAnswerIfItEndsTooEarly(String encoding) {
		String session = SESSIONS + encoding;
		createLong(session);
		for (int round = 0; round < ROUNDS; round++) {
			this.proxy.setFault(Fault.cutAnswersAfter(this.random.nextInt(LENGTH)));
			assertThatExceptionOfType(UncheckedIOException.class).as("seed %d", this.seed)
				.isThrownBy(() -> this.behindProxy.send("GET", session, BodyPublishers.noBody(), "Accept-Encoding",
						encoding));
		}
	}

	@Test
	void isRepeatedInFullByTheSameAppend() throws InterruptedException {
		String session = SESSIONS + "s";
		this.http.post(session, "{}").ok();
		for (int round = 0; round < ROUNDS; round++) {
			String event = "{\"id\":\"e%1$d\",\"author\":\"a\",\"actions\":{\"stateDelta\":{\"k\":%1$d}}}"
				.formatted(round);
			String revision = "\"" + round + "\"";
			this.proxy.setFault(Fault.cutAnswersAfter(this.random.nextInt(400)));
			assertThatExceptionOfType(UncheckedIOException.class).as("seed %d", this.seed)
				.isThrownBy(() -> this.behindProxy.post(session + "/events", event, "If-Match", revision));
			String lost = this.proxy.cutAnswers().take();
			Answer again = this.http.post(session + "/events", event, "If-Match", revision).ok();
			assertThat(again.header("Idempotent-Replayed")).contains("true");
			assertThat(lost).contains("200", again.etag(), again.body());
		}
		assertThat(this.http.get(session).at("/events")).hasSize(ROUNDS);
	}

	/** Random letters, so that it is long when it is compressed, too. */
	private void createLong(String session) {
		this.http.post(session, "{}").ok();
		String letters = this.random.ints(2 * LENGTH, 'a', 'z' + 1)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		this.http.post(session + "/events", "{\"filler\":\"" + letters + "\"}").ok();
	}

}
