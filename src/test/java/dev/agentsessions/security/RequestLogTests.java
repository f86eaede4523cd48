package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.support.ReadsLog;

/** The log says who did what, and repeats nothing that is secret. */
@ExtendWith(OutputCaptureExtension.class)
@TestPropertySource(properties = "logging.structured.format.file=ecs")
@ReadsLog
class RequestLogTests extends SecuredServiceTest {

	private static final String SESSION = "/apps/shop/users/ann/sessions/s-logged";

	private final Logger logger = (Logger) LoggerFactory.getLogger(RequestLog.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.lines.list = new CopyOnWriteArrayList<>();
		this.lines.start();
		this.logger.addAppender(this.lines);
		this.logger.setLevel(Level.DEBUG);
	}

	@AfterEach
	void stopListening() {
		this.logger.setLevel(null);
		this.logger.detachAppender(this.lines);
	}

	@Test
	void namesTheCallerTheIdsAndTheOutcome(CapturedOutput output) {
		call("GET", SESSION + "/events").as(Keys.READER).send();
		awaitLog(() -> assertThat(output).containsPattern("GET " + SESSION + "/events (200|404) \\d+us reader"));
	}

	@Test
	void namesTheUserOfATokenInOneWord(CapturedOutput output) {
		call("GET", SESSION).bearer(Tokens.of("eve\nGET /forged 200 1us root")).send();
		awaitLog(() -> assertThat(output).contains("us user_eve_GET").doesNotContain("\nGET /forged"));
	}

	@Test
	void logsWhoeverIsRefused(CapturedOutput output) {
		call("GET", SESSION).send();
		awaitLog(() -> assertThat(output).containsPattern("GET " + SESSION + " 401 \\d+us -"));
	}

	@Test
	void containsNoContentKeyOrToken(CapturedOutput output) {
		String token = Tokens.of("ann");
		call("POST", SESSION + "?lastUpdateTime=secret-query").as(Keys.AGENT)
			.json("{\"state\":{\"a\":\"secret-state\"}}")
			.send();
		call("POST", SESSION + "/events").as(Keys.AGENT).json("{\"secret-field\":1}").send();
		call("POST", SESSION + "/events").bearer(token).json("{\"broken\": secret-json}").send();
		call("GET", SESSION).bearer("as_secret-key").header("Cookie", "secret-cookie").send();
		awaitLog(() -> assertThat(output).contains(SESSION).doesNotContain("secret", Keys.AGENT.key(), token));
	}

	@Test
	void hasEachValueAsAField() {
		String id = "id-" + System.nanoTime();
		call("GET", SESSION + "/events").as(Keys.READER).header("X-Request-Id", id).send();
		ILoggingEvent line = line(id);
		assertThat(line.getLevel()).isEqualTo(Level.INFO);
		assertThat(fields(line)).containsEntry("method", "GET")
			.containsEntry("route", "/apps/{appName}/users/{userId}/sessions/{sessionId}/events")
			.containsEntry("status", 404)
			.containsEntry("caller", "reader")
			.containsEntry("app", "shop")
			.containsEntry("session", "s-logged")
			.hasEntrySatisfying("duration", (micros) -> assertThat((Long) micros).isPositive());
	}

	@Test
	void hasTheAppOfAReasoningEngine() {
		String id = "id-" + System.nanoTime();
		call("GET", "/v1/reasoningEngines/shop/sessions/s-logged").as(Keys.READER).header("X-Request-Id", id).send();
		assertThat(fields(line(id))).containsEntry("app", "shop").containsEntry("session", "s-logged");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/health", "/actuator/health", "/actuator/health/readiness", "/actuator/prometheus" })
	void saysNothingOfProbesAndScrapesUnlessItIsAsked(String path) {
		String id = "id-" + System.nanoTime();
		call("GET", path).as(Keys.ADMINISTRATOR).header("X-Request-Id", id).send();
		assertThat(line(id).getLevel()).isEqualTo(Level.DEBUG);
	}

	@Test
	void saysWhoIsNotLetToTheFigures() {
		String id = "id-" + System.nanoTime();
		call("GET", "/actuator/prometheus").header("X-Request-Id", id).send();
		assertThat(line(id).getLevel()).isEqualTo(Level.INFO);
	}

	@Test
	void beginsWithTheIdOfTheRequest(CapturedOutput output) {
		call("GET", SESSION).header("X-Request-Id", "trip-4711").send();
		awaitLog(() -> assertThat(output).containsPattern("\\[trip-4711\\] .*GET " + SESSION + " 401"));
	}

	private ILoggingEvent line(String requestId) {
		return Awaitility.await()
			.until(() -> List.copyOf(this.lines.list)
				.stream()
				.filter((line) -> requestId.equals(line.getMDCPropertyMap().get("requestId")))
				.findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	private static Map<String, Object> fields(ILoggingEvent line) {
		return line.getKeyValuePairs().stream().collect(Collectors.toMap((pair) -> pair.key, (pair) -> pair.value));
	}

	/** A line is written when the answer has gone. */
	private static void awaitLog(ThrowingRunnable assertion) {
		Awaitility.await().untilAsserted(assertion);
	}

}
