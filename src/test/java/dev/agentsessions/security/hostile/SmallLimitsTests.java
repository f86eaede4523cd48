package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.console.PageVisitor;
import dev.agentsessions.security.Call;
import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.support.ReadsLog;

/** Each limit is a setting, and an answer names the one that it keeps to. */
@TestPropertySource(properties = { "agent-sessions.limits.event-size=2KB", "agent-sessions.limits.delta-keys=10",
		"agent-sessions.limits.events-per-request=5", "agent-sessions.limits.state-size=4KB",
		"agent-sessions.limits.page-size=3", "agent-sessions.limits.details-size=1KB",
		"agent-sessions.limits.template-size=1KB", "agent-sessions.limits.fork-size=4KB",
		"agent-sessions.max-json-depth=20", "agent-sessions.max-body-size=64KB",
		"agent-sessions.vertex.max-body-size=128KB", "agent-sessions.vertex.apps.7001=mapped",
		"agent-sessions.security.rate-limit.requests-per-second=1", "agent-sessions.security.rate-limit.burst=200",
		"agent-sessions.security.address-rate-limit.requests-per-second=1",
		"agent-sessions.security.address-rate-limit.burst=100" })
class SmallLimitsTests extends SecuredServiceTest {

	private static final String KILOBYTE = "x".repeat(1024);

	private static final String ENGINE = "/v1beta1/reasoningEngines/limits/sessions";

	private final String id = "s" + System.nanoTime();

	private final String session = "/apps/limits/users/ann/sessions/" + this.id;

	private final String vertexSession = ENGINE + "/" + this.id;

	@BeforeEach
	void makesASession() {
		call("POST", this.session).as(Keys.EVERYWHERE).send();
	}

	@Test
	void namesEachLimitThatARequestExceeds() {
		Map<String, Supplier<HttpResponse<String>>> tooLarge = Map.of("event-size",
				() -> append(event("'text':'" + KILOBYTE.repeat(3) + "'")), "events-per-request",
				() -> post(this.session + "/events:batch", "{'events':[" + "{},".repeat(5) + "{}]}"), "delta-keys",
				() -> append(event("'actions':{'stateDelta':{" + keys(11) + "}}")), "state-size",
				() -> post("/apps/limits/users/ann/sessions", "{'state':{'k':'" + KILOBYTE.repeat(5) + "'}}"),
				"details-size", () -> send("PATCH", this.session, "{'displayName':'" + KILOBYTE + "x'}"),
				"template-size", () -> post(this.session + ":render", "{'template':'" + KILOBYTE + "x'}"), "fork-size",
				() -> {
					IntStream.range(0, 5).forEach((i) -> append("{}"));
					return post(this.session + ":fork", "{}");
				});
		Set<String> settings = Stream.of(LimitProperties.class.getRecordComponents())
			.map((limit) -> DataObjectPropertyName.toDashedForm(limit.getName()))
			.collect(Collectors.toCollection(TreeSet::new));
		// A page is only shorter, and a request that exceeds its share only waits
		settings.removeAll(Set.of("page-size", "heavy-share"));
		assertThat(tooLarge).containsOnlyKeys(settings);
		tooLarge.forEach((setting, request) -> refused(request.get(), 413, "agent-sessions.limits." + setting));
	}

	@Test
	void limitsTheSizeOfAnEvent() {
		assertThat(append(event("'text':'" + KILOBYTE + "'")).statusCode()).isEqualTo(200);
		refused(append(event("'text':'" + KILOBYTE.repeat(3) + "'")), 413, "2048 bytes",
				"agent-sessions.limits.event-size");
		String manyBytes = "\u6f22".repeat(1000);
		refused(append(event("'text':'" + manyBytes + "'")), 413, "agent-sessions.limits.event-size");
	}

	@Test
	void limitsTheSizeOfABody() {
		refused(append(event("'text':'" + KILOBYTE.repeat(65) + "'")), 413, "agent-sessions.max-body-size");
	}

	@Test
	void limitsTheSizeOfABodyInTheVertexDialect() {
		String path = "/v1beta1/reasoningEngines/limits/sessions";
		String body = "{'userId':'ann','other':'" + KILOBYTE.repeat(65) + "'}";
		assertThat(post(path, body).statusCode()).isEqualTo(200);
		refused(post(path, body.replace(KILOBYTE, KILOBYTE + KILOBYTE)), 413, "131072 bytes",
				"agent-sessions.vertex.max-body-size", "INVALID_ARGUMENT");
	}

	@Test
	void limitsTheKeysOfADelta() {
		refused(append(event("'actions':{'stateDelta':{" + keys(11) + "}}")), 413, "10 keys",
				"agent-sessions.limits.delta-keys");
		refused(post("/apps/limits/users/ann/sessions", "{'state':{" + keys(11) + "}}"), 413,
				"agent-sessions.limits.delta-keys");
		refused(send("PATCH", "/apps/limits/state", "{" + keys(11) + "}"), 413, "agent-sessions.limits.delta-keys");
	}

	@Test
	void limitsTheEventsOfARequest() {
		String six = "{'events':[" + "{},".repeat(5) + "{}]}";
		refused(post(this.session + "/events:batch", six), 413, "5 events", "agent-sessions.limits.events-per-request");
		refused(post("/apps/limits/users/ann/sessions", six), 413, "agent-sessions.limits.events-per-request");
	}

	@Test
	void limitsTheDepthOfJson() {
		assertThat(append(event("'a':" + "[".repeat(19) + "]".repeat(19))).statusCode()).isEqualTo(200);
		refused(append(event("'a':" + "[".repeat(20) + "]".repeat(20))), 400, "agent-sessions.max-json-depth");
		assertThat(append(event("'a':'" + "[".repeat(50) + "\\\"{'")).statusCode()).isEqualTo(200);
	}

	@Test
	void limitsTheStateOfASessionButNotRetriesAndRemovals() {
		for (int i = 0; i < 3; i++) {
			assertThat(append(event("'actions':{'stateDelta':{'k" + i + "':'" + KILOBYTE + "'}}")).statusCode())
				.isEqualTo(200);
		}
		String last = event("'id':'last','actions':{'stateDelta':{'k3':'" + "x".repeat(900) + "'}}");
		assertThat(append(last).statusCode()).isEqualTo(200);
		String more = event("'actions':{'stateDelta':{'k4':'" + KILOBYTE + "'}}");
		refused(append(more), 413, "The state of the session", "agent-sessions.limits.state-size");
		assertThat(append(last).headers().firstValue("Idempotent-Replayed")).contains("true");
		assertThat(append(event("'actions':{'stateDelta':{'k0':null,'k1':null}}")).statusCode()).isEqualTo(200);
		assertThat(append(more).statusCode()).isEqualTo(200);
	}

	@Test
	void rewindsMoreKeysThanOneRequestMaySet() {
		append(event("'invocationId':'i0','actions':{'stateDelta':%s}".formatted(keys("a", 10))));
		append(event("'invocationId':'i1','actions':{'stateDelta':%s}".formatted(keys("b", 10))));
		append(event("'invocationId':'i1','actions':{'stateDelta':%s}".formatted(keys("c", 10))));
		assertThat(send("POST", this.session + ":rewind", "{'beforeInvocationId':'i1'}").statusCode()).isEqualTo(200);
	}

	private static String keys(String prefix, int count) {
		return IntStream.range(0, count)
			.mapToObj((number) -> "'%s%d':1".formatted(prefix, number))
			.collect(Collectors.joining(",", "{", "}"));
	}

	@Test
	void limitsSharedState() {
		String path = "/apps/full/users/ann/state";
		for (int i = 0; i < 3; i++) {
			send("PATCH", path, "{'k" + i + "':'" + KILOBYTE + "'}");
		}
		refused(send("PATCH", path, "{'k3':'" + KILOBYTE + "'}"), 413, "The state of the user",
				"agent-sessions.limits.state-size");
	}

	@Test
	void limitsWhatASessionIsCalled() {
		String name = "{'displayName':'" + KILOBYTE + "','labels':{'a':'b'}}";
		for (String path : List.of("/apps/limits/users/ann/sessions", ENGINE)) {
			refused(post(path, name.replace("{'d", "{'userId':'ann','d")), 413, "1024 bytes",
					"agent-sessions.limits.details-size");
		}
		refused(send("PATCH", this.session, name), 413, "agent-sessions.limits.details-size");
		refused(send("PATCH", this.session, name.replace("{'d", "{'stateDelta':{},'d")), 413,
				"agent-sessions.limits.details-size");
		refused(send("PATCH", this.vertexSession, name), 413, "agent-sessions.limits.details-size");
	}

	/** What one dialect limits, the other one does, too. */
	@Test
	void limitsTheOtherDialectAsWell() {
		refused(appendVertex("'content':{'parts':[{'text':'" + KILOBYTE.repeat(3) + "'}]}"), 413, "2048 bytes",
				"agent-sessions.limits.event-size");
		refused(appendVertex("'errorMessage':'" + KILOBYTE.repeat(129) + "'"), 413,
				"agent-sessions.vertex.max-body-size");
		refused(appendVertex("'actions':{'stateDelta':{" + keys(11) + "}}"), 413, "10 keys",
				"agent-sessions.limits.delta-keys");
		refused(post(ENGINE, "{'userId':'ann','sessionState':{" + keys(11) + "}}"), 413,
				"agent-sessions.limits.delta-keys");
		refused(send("PATCH", this.vertexSession, "{'sessionState':{" + keys(11) + "}}"), 413,
				"agent-sessions.limits.delta-keys");
		refused(appendVertex("'a':" + "[".repeat(20) + "]".repeat(20)), 400, "agent-sessions.max-json-depth");
		refused(post(ENGINE, "{'userId':'" + "u".repeat(513) + "'}"), 400, "512 characters");
		refused(post(ENGINE + "?sessionId=" + "s".repeat(513), "{'userId':'ann'}"), 400, "512 characters");
		refused(appendVertex("'actions':{'stateDelta':{'" + "k".repeat(513) + "':1}}"), 400, "512 characters");
		refused(append(event("'actions':{'stateDelta':{'" + "k".repeat(513) + "':1}}")), 400, "512 characters");
		for (int i = 0; i < 3; i++) {
			appendVertex("'actions':{'stateDelta':{'k" + i + "':'" + KILOBYTE + "'}}");
		}
		refused(appendVertex("'actions':{'stateDelta':{'k3':'" + KILOBYTE + "'}}"), 413, "The state of the session",
				"agent-sessions.limits.state-size");
	}

	@Test
	void limitsHowOftenACallerAsksForAnEngine() {
		HttpResponse<String> answer = null;
		for (int i = 0; i <= 250; i++) {
			answer = call("GET", "/v1/reasoningEngines/shop/sessions?filter=user_id=ann").as(Keys.ADMINISTRATOR).send();
		}
		refused(answer, 429, "agent-sessions.security.rate-limit", "RESOURCE_EXHAUSTED");
		assertThat(answer.headers().firstValue("Retry-After")).contains("1");
	}

	@Test
	void streamsAListOfTheOtherDialectInPiecesOfAPage() {
		post(this.session + "/events:batch", "{'events':[" + "{},".repeat(4) + "{}]}");
		HttpResponse<String> all = call("GET", this.vertexSession + "/events").as(Keys.EVERYWHERE).send();
		assertThat(all.body().split("\"timestamp\"")).hasSize(6);
		assertThat(all.body()).doesNotContain("nextPageToken");
	}

	private HttpResponse<String> appendVertex(String fields) {
		return post(this.vertexSession + ":appendEvent", event("'author':'a','invocationId':'i'," + fields));
	}

	@Test
	void limitsAPage() {
		String events = "{'events':[" + "{},".repeat(4) + "{}]}";
		post(this.session + "/events:batch", events);
		HttpResponse<String> page = call("GET", this.session + "/events?limit=100").as(Keys.EVERYWHERE).send();
		assertThat(page.body().split("\"timestamp\"")).hasSize(4);
		assertThat(page.body()).contains("nextPageToken");
	}

	@Test
	void limitsHowOftenACallerAsksForAnApp() {
		HttpResponse<String> answer = null;
		for (int i = 0; i <= 250; i++) {
			answer = call("GET", "/apps/shop/state").as(Keys.READER).send();
		}
		refused(answer, 429, "agent-sessions.security.rate-limit");
		assertThat(answer.body()).contains("\"code\":\"RATE_LIMITED\"");
		assertThat(answer.headers().firstValue("Retry-After")).contains("1");
		assertThat(Stream.generate(() -> call("GET", "/apps/sh%6Fp/state").as(Keys.READER).status()).limit(5))
			.contains(429);
		assertThat(call("GET", "/apps/shop/state").as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(call("GET", "/health").status()).isEqualTo(200);
	}

	/** From the same address, valid credentials and probes are answered all the same. */
	@Test
	void limitsHowOftenCallersWithoutValidCredentialsAsk() {
		HttpResponse<String> answer = null;
		for (int i = 0; i <= 150; i++) {
			answer = call("GET", "/version").send();
		}
		refused(answer, 429, "RATE_LIMITED", "agent-sessions.security.address-rate-limit");
		assertThat(answer.headers().firstValue("Retry-After")).contains("1");
		for (Call call : List.of(call("GET", "/version").bearer("as_guessed"), call("GET", "/apps/shop/state"),
				call("GET", "/console"), call("GET", "/console").bearer("as_guessed"), call("GET", "/"))) {
			assertThat(Stream.generate(call::status).limit(5)).contains(429);
		}
		assertThat(call("GET", "/apps/shop/state").as(Keys.ADMINISTRATOR).status()).isEqualTo(200);
		for (String probe : List.of("/health", "/actuator/health", "/actuator/health/readiness")) {
			assertThat(call("GET", probe).status()).isEqualTo(200);
		}
	}

	/**
	 * A response that costs time or a line in the audit log is one of those that count.
	 */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	@ReadsLog
	void countsEachRefusalBeforeACallerIsKnown(CapturedOutput output) {
		PageVisitor visitor = new PageVisitor(port());
		String form = Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.ignoreExceptions()
			.until(() -> "_csrf=" + visitor.formToken("/console"), Objects::nonNull);
		Map<String, Supplier<Integer>> refusals = Map.of("malformed key",
				() -> call("GET", "/apps/shop/state").header("Authorization", "Bearer \u00e4 b").status(),
				"other origin",
				() -> call("OPTIONS", "/apps/shop/state").header("Origin", "https://evil.example")
					.header("Access-Control-Request-Method", "GET")
					.status(),
				"no form token", () -> visitor.post("/console/sign-in", "credentials=x").status(), "no key",
				() -> visitor.post("/console/sign-in", form).status(), "long key",
				() -> visitor.post("/console/sign-in", form + "&credentials=" + "x".repeat(5000)).status(),
				"unknown key", () -> visitor.post("/console/sign-in", form + "&credentials=x").status(), "sign-out",
				() -> visitor.post("/console/sign-out", form).status());
		refusals.forEach((name, refusal) -> assertThat(Stream.generate(refusal).limit(150)).as(name).contains(429));
		assertThat(output.getAll().split("console.sign-in-refused", -1)).hasSizeLessThan(120);
	}

	/** Each alone stays far below the limit. */
	@Test
	void countsAnEngineAndItsAppTogether() {
		Set<Integer> statuses = new TreeSet<>();
		for (int i = 0; i < 180; i++) {
			statuses.add(call("GET", "/v1/reasoningEngines/7001/sessions/s").as(Keys.EVERYWHERE).status());
			statuses.add(call("GET", "/apps/mapped/users/ann/sessions/s").as(Keys.EVERYWHERE).status());
		}
		assertThat(statuses).containsExactly(404, 429);
	}

	private HttpResponse<String> append(String event) {
		return post(this.session + "/events", event);
	}

	private HttpResponse<String> post(String path, String json) {
		return send("POST", path, json);
	}

	private HttpResponse<String> send(String method, String path, String json) {
		return call(method, path).as(Keys.EVERYWHERE).json(json.replace('\'', '"')).send();
	}

	private static String event(String fields) {
		return "{" + fields + "}";
	}

	private static String keys(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "'k" + i + "':1").collect(Collectors.joining(","));
	}

	private static void refused(HttpResponse<String> answer, int status, String... texts) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		assertThat(answer.body()).contains(texts);
	}

}
