package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/**
 * What a small service does with requests that would make much of few bytes, or a large
 * answer of none: it refuses them, or takes them one after the other, and serves others
 * all the while.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class CostlyRequestTests {

	private static final String SESSIONS = "/apps/a/users/u/sessions";

	private static final String SESSION = SESSIONS + "/s";

	private static final String VERTEX = "/v1beta1/projects/p/locations/l/reasoningEngines/a/sessions/s";

	private static final int MANY = 1_200_000;

	private static final int LARGE = 15_000_000;

	private final ExecutorService crowd = Executors.newFixedThreadPool(100);

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void starts(@TempDir Path folder) {
		this.service = ServiceProcess.start(folder);
		this.http = this.service.http();
		this.http.post(SESSION, "{}").ok();
	}

	@AfterAll
	void stops() {
		this.crowd.shutdownNow();
		this.service.close();
	}

	@AfterEach
	void servesOthers() {
		this.http.post(SESSION + "/events", "{}").ok();
		assertThat(this.service.log().lines())
			.noneMatch((line) -> line.contains("OutOfMemoryError") || line.contains("Answered 500"));
	}

	static Stream<Arguments> bodiesWithManyValuesAreRefused() {
		String members = IntStream.range(0, MANY).mapToObj((i) -> "\"" + i + "\":1").collect(Collectors.joining(","));
		String objects = "{}" + ",{}".repeat(MANY * 3);
		String strings = "\"\"" + ",\"\"".repeat(MANY * 3);
		String vertexEvent = "\"author\":\"user\",\"invocationId\":\"i\",\"timestamp\":\"2026-01-01T00:00:00Z\"";
		return Stream.of(Arguments.of("members of an event", SESSION + "/events", "{" + members + "}"),
				Arguments.of("keys of a delta", SESSION + "/events",
						"{\"actions\":{\"stateDelta\":{" + members + "}}}"),
				Arguments.of("keys of a new state", SESSIONS, "{\"state\":{" + members + "}}"),
				Arguments.of("elements", SESSION + "/events", "{\"a\":[" + objects + "]}"),
				Arguments.of("parts", VERTEX + ":appendEvent",
						"{" + vertexEvent + ",\"content\":{\"parts\":[" + objects + "]}}"),
				Arguments.of("tools", VERTEX + ":appendEvent",
						"{" + vertexEvent + ",\"eventMetadata\":{\"longRunningToolIds\":[" + strings + "]}}"),
				Arguments.of("metadata", VERTEX + ":appendEvent",
						"{" + vertexEvent + ",\"eventMetadata\":{\"customMetadata\":{" + members + "}}}"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void bodiesWithManyValuesAreRefused(String what, String path, String body) throws Exception {
		List<Answer> answers = together(4, () -> this.http.post(path, body));
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.status()).as(answer.body()).isIn(413, 503))
			.anySatisfy((answer) -> assertThat(answer.body()).contains("agent-sessions.max-json-tokens"));
	}

	@Test
	void templatesWithManyKeysAreRefused() {
		this.http.post(SESSIONS, "{\"sessionId\":\"t\",\"state\":{\"k\":\"" + "x".repeat(10_000) + "\"}}").ok();
		Answer large = render("t", "{k}".repeat(MANY));
		assertThat(large.status()).as(large.body()).isEqualTo(413);
		String missing = IntStream.range(0, MANY).mapToObj((i) -> "{k" + i + "}").collect(Collectors.joining());
		Answer many = render("t", missing);
		assertThat(many.status()).isEqualTo(422);
		assertThat(many.body()).hasSizeLessThan(100_000);
		assertThat(render("t", "{k0}{" + "n".repeat(LARGE) + "}").body()).hasSizeLessThan(100_000);
	}

	@Test
	void concurrentRetriesOfLargeEventAreReplayed() throws Exception {
		String event = "{\"id\":\"large\",\"a\":[%s]}".formatted("1.5,".repeat(100_000) + "1");
		this.http.post(SESSION + "/events", event).ok();
		String other = event.replace("1.5", "15e-1");
		List<Answer> answers = together(6, () -> this.http.post(SESSION + "/events", other));
		assertThat(answers).filteredOn((answer) -> answer.status() != 503)
			.isNotEmpty()
			.allSatisfy((answer) -> assertThat(answer.header("Idempotent-Replayed")).hasValue("true"));
	}

	@Test
	void concurrentReadsOfLargeStateGetSessionOr503() throws Exception {
		this.http.post(SESSIONS, "{\"sessionId\":\"l\",\"state\":{\"k\":\"" + "x".repeat(LARGE) + "\"}}").ok();
		this.http.post(SESSIONS + "/l/events", "{\"id\":\"large\",\"a\":\"" + "y".repeat(LARGE) + "\"}").ok();
		for (String path : List.of(SESSIONS + "/l?numRecentEvents=0", SESSIONS + "/l/events/large",
				SESSIONS + "/l/events", SESSIONS, VERTEX.replaceAll("/s$", "/l"),
				"/v1beta1/projects/p/locations/l/reasoningEngines/a/sessions")) {
			List<Integer> answers = together(12, () -> this.http.get(path).status());
			assertThat(answers).as(path).contains(200).allSatisfy((status) -> assertThat(status).isIn(200, 503));
			servesOthers();
		}
	}

	private Answer render(String session, String template) {
		return this.http.post(SESSIONS + "/" + session + ":render", "{\"template\":\"" + template + "\"}");
	}

	private <T> List<T> together(int count, Callable<T> request) throws Exception {
		List<Future<T>> answers = IntStream.range(0, count).mapToObj((i) -> this.crowd.submit(request)).toList();
		this.http.get("/apps/a/users/nobody/sessions").ok();
		List<T> all = new java.util.ArrayList<>();
		for (Future<T> answer : answers) {
			all.add(answer.get());
		}
		return all;
	}

}
