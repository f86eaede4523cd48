package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;

/**
 * Crowds of clients that do not read a large response, on each route and page in turn.
 * The service itself says which routes it has.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class SlowReadersTests {

	private static final int CLIENTS = 150;

	/** How often each route has its crowd. */
	private static final int ROUNDS = Integer.getInteger("slow.rounds", 1);

	/** The few that wait for memory still have no answer when the others have one. */
	private static final int ANSWERED = 140;

	/** A smaller response fits into the buffers of its connection. */
	private static final int LARGE = 1 << 16;

	private static final String USER = "/apps/a/users/u";

	private static final String SESSION = USER + "/sessions/s";

	private static final String OTHER = "/apps/b/users/o/sessions/o";

	private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)(:[^}]*)?}");

	private static final Map<String, String> VARIABLES = Map.ofEntries(Map.entry("appName", "a"),
			Map.entry("userId", "u"), Map.entry("sessionId", "s"), Map.entry("eventId", "e"), Map.entry("part", "0"),
			Map.entry("memoryId", "f0"), Map.entry("project", "p"), Map.entry("location", "l"),
			Map.entry("engine", "a"), Map.entry("version", "v1beta1"), Map.entry("operation", "1"),
			Map.entry("change", "fork"), Map.entry("name", "console.css"), Map.entry("group", "adk"),
			Map.entry("artifact", "large.txt"));

	/** The first one that a route accepts asks for as much as it ever sends. */
	private static final List<String> QUERIES = List.of("limit=1000&q=filler", "limit=100&q=filler",
			"limit=1000&includeState=true", "limit=1000", "limit=100", "q=filler", "with=s2", "scope.user_id=u",
			"after=0", "name=large.txt&version=0", "at=1", "prefix=s", "");

	/** What a writing route is asked that answers with as much as it ever sends. */
	private static final Map<String, String> BODIES = Map.ofEntries(
			Map.entry("POST .*/sessions/\\{sessionId}/events", event(1_000_000, ",\"partial\":true")),
			Map.entry("POST .*/events:batch", "{\"events\":[%s]}".formatted(event(1_000_000, ",\"partial\":true"))),
			Map.entry("POST .*/events:get", "{\"ids\":[\"e\"]}"),
			Map.entry("POST .*/events:search", "{\"query\":\"filler\",\"limit\":100}"),
			Map.entry("POST .*/sessions/\\{sessionId}:render", "{\"template\":\"{k}{user:k}{app:k}\"}"),
			Map.entry("POST .*/sessions/\\{sessionId}:fork", "{\"atSeq\":0}"),
			Map.entry("POST /apps/.*/sessions", "{}"), Map.entry("PATCH .*/sessions/\\{sessionId}", "{\"labels\":{}}"),
			Map.entry("PATCH .*/state", "{\"stateDelta\":{\"a\":1}}"),
			Map.entry("POST .*/reasoningEngines/\\{engine}/sessions", "{\"userId\":\"u\"}"),
			Map.entry("POST .*/memories:retrieve",
					"{\"scope\":{\"user_id\":\"u\"},\"simpleRetrievalParams\":{\"pageSize\":100}}"));

	/** Writing routes whose responses are small, whatever is stored. */
	private static final Pattern SMALL = Pattern.compile("(POST|PATCH|PUT) (/console/.*|.*(:import|:reindex|:acquire"
			+ "|:release|:rewind|:appendEvent|/memory|/memories(/\\{memoryId})?|memories:(generate|ingestEvents|purge|"
			+ "retrieveProfiles)|/artifacts.*|/sts/token|/sessions/\\{sessionId}|events:forget|:rollback))");

	/** Routes that only refuse or redirect, whatever is stored. */
	private static final Pattern WITHOUT_CONTENT = Pattern
		.compile(".*(/\\*\\*|operations/\\{operation}|:rollback|/find|/answer)");

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private ServiceProcess service;

	private Http http;

	@BeforeAll
	void fill(@TempDir Path folder) {
		this.service = ServiceProcess.start(folder, "--management.endpoints.web.exposure.include=mappings");
		this.http = this.service.http();
		this.http.post(OTHER, "{}").ok();
		String large = "filler " + "x".repeat(1_000_000);
		for (String prefix : List.of("", "user:", "app:")) {
			this.http.post(SESSION + prefix.replace(":", ""), "{\"state\":{\"%sk\":\"%s\"}}".formatted(prefix, large))
				.ok();
		}
		for (String owner : List.of(SESSION, USER)) {
			this.http.send("PUT", owner + "/artifacts/large.txt", BodyPublishers.ofString("x ".repeat(1_500_000)),
					"Content-Type", "text/plain");
		}
		append("{\"id\":\"e\",\"author\":\"a\",\"content\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\","
				+ "\"data\":\"%s\"}}]}}".formatted(Base64.getEncoder().encodeToString(new byte[3_000_000])));
		for (int batch = 0; batch < 2; batch++) {
			append(IntStream.range(0, 40).mapToObj((i) -> text(100_000)).toArray(String[]::new));
		}
		for (int i = 0; i < 8; i++) {
			append(text(1_400_000));
		}
		append("{\"author\":\"a\",\"groundingMetadata\":{%s}}"
			.formatted(IntStream.range(0, 100_000).mapToObj("\"k%d\":1"::formatted).collect(Collectors.joining(","))));
		append("{\"author\":\"a\",\"content\":{\"role\":\"model\",\"parts\":[%s]},\"longRunningToolIds\":[%s]}"
			.formatted(calls(
					"{\"functionCall\":{\"id\":\"c%d\",\"name\":\"f\",\"args\":{\"a\":\"" + "y".repeat(4700) + "\"}}}"),
					calls("\"c%d\"")));
		for (int i = 0; i < 100; i++) {
			this.http.post(USER + "/memories", "{\"id\":\"f%d\",%s".formatted(i, text(32_000).substring(1)));
			this.http.post(USER + "/sessions", "{\"state\":{\"k\":\"%s\"}}".formatted("z".repeat(40_000))).ok();
		}
	}

	private static String text(int length) {
		return event(length, "");
	}

	private static String event(int length, String more) {
		return "{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"filler %s\"}]}%s}"
			.formatted("x ".repeat(length / 2), more);
	}

	private static String calls(String format) {
		return IntStream.range(0, 1000).mapToObj(format::formatted).collect(Collectors.joining(","));
	}

	private void append(String... events) {
		this.http.post(SESSION + "/events:batch", "{\"events\":[" + String.join(",", events) + "]}").ok();
	}

	@AfterAll
	void stop() {
		this.service.close();
	}

	@Test
	void areNoDangerToOthers() throws Exception {
		List<Request> large = new ArrayList<>();
		List<String> empty = new ArrayList<>();
		for (Map.Entry<String, Integer> path : sizes().entrySet()) {
			if (path.getValue() >= LARGE) {
				large.add(new Request("GET", path.getKey(), ""));
			}
			else if (path.getValue() < 0) {
				empty.add(path.getKey());
			}
		}
		assertThat(empty).as("routes for which this test has no content").isEmpty();
		assertThat(large).hasSizeGreaterThan(20);
		large.addAll(writes());
		// The routes of the dialect that translates each event need the most memory
		large.sort(Comparator.comparing((request) -> !request.path.contains("reasoningEngines")));
		for (int round = 0; round < ROUNDS; round++) {
			for (Request request : large) {
				crowd(request);
				assertThat(this.service.log()).as(request.path).doesNotContain("OutOfMemoryError");
			}
		}
	}

	/** Returns a request for each writing route with a large response. */
	private List<Request> writes() {
		List<Request> writes = new ArrayList<>();
		List<String> unknown = new ArrayList<>();
		for (String method : List.of("POST", "PATCH", "PUT")) {
			for (String route : routes(method)) {
				String operation = method + " " + route;
				List<String> bodies = BODIES.entrySet()
					.stream()
					.filter((entry) -> operation.matches(entry.getKey()))
					.map(Map.Entry::getValue)
					.toList();
				bodies.forEach((body) -> writes.add(new Request(method, path(route), body)));
				if (bodies.isEmpty() && !SMALL.matcher(operation).matches()) {
					unknown.add(operation);
				}
			}
		}
		assertThat(unknown).as("routes for which this test has no body").isEmpty();
		return writes;
	}

	private void crowd(Request request) throws IOException {
		List<Socket> clients = new ArrayList<>();
		try {
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(send(request));
			}
			Awaitility.await(request.toString())
				.atMost(Duration.ofMinutes(2))
				.until(() -> answered(clients) >= ANSWERED);
			assertServesOthers(request.path);
		}
		finally {
			for (Socket client : clients) {
				client.setSoLinger(true, 0);
				client.close();
			}
		}
	}

	private void assertServesOthers(String path) {
		assertThat(this.http.post(OTHER + "/events", "{}").status()).as(path).isEqualTo(200);
		assertThat(this.http.get(OTHER).status()).as(path).isEqualTo(200);
	}

	private static long answered(List<Socket> clients) throws IOException {
		long answered = 0;
		for (Socket client : clients) {
			answered += (client.getInputStream().available() > 0) ? 1 : 0;
		}
		return answered;
	}

	private Socket send(Request request) throws IOException {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(4096);
		// The client need not wait until the service reads the request
		socket.setSendBufferSize(4 << 20);
		socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.http.port()));
		socket.getOutputStream()
			.write("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
				.formatted(request.method, request.path, request.body.length(), request.body)
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/**
	 * Returns the paths of all routes, and how much they send: -1 if there is nothing.
	 */
	private Map<String, Integer> sizes() throws Exception {
		Map<String, Integer> sizes = new TreeMap<>();
		for (String route : routes("GET")) {
			String path = path(route);
			String found = path;
			int size = -1;
			for (int i = 0; i < QUERIES.size() && size < 0; i++) {
				found = path + "?" + QUERIES.get(i);
				size = size(found);
			}
			sizes.put(found, (size < 0 && WITHOUT_CONTENT.matcher(route).matches()) ? 0 : size);
		}
		return sizes;
	}

	private static String path(String route) {
		return VARIABLE.matcher(route.replace("/versions/{version}", "/versions/0"))
			.replaceAll((name) -> value(name.group(1)));
	}

	private static String value(String variable) {
		assertThat(VARIABLES).as("a value of each variable of a route").containsKey(variable);
		return VARIABLES.get(variable);
	}

	private int size(String path) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.http.port() + path))
			.timeout(Duration.ofMinutes(1))
			.build();
		HttpResponse<InputStream> response = this.client.send(request, BodyHandlers.ofInputStream());
		try (InputStream body = response.body()) {
			boolean stream = response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
			boolean found = response.statusCode() < 400;
			return !found ? -1 : stream ? LARGE : body.readNBytes(LARGE).length;
		}
	}

	/** The other paths of the Vertex AI dialect lead to the same controllers. */
	private TreeSet<String> routes(String method) {
		TreeSet<String> routes = new TreeSet<>();
		for (JsonNode mapping : this.http.get("/actuator/mappings").json().findValues("requestMappingConditions")) {
			String methods = mapping.path("methods").toString();
			if (methods.contains(method) || methods.equals("[]") && method.equals("GET")) {
				mapping.path("patterns").valueStream().map(JsonNode::stringValue).forEach(routes::add);
			}
		}
		routes.removeIf(
				(route) -> route.startsWith("/actuator") || route.startsWith("/{version:v1|v1beta1}/reasoningEngines"));
		if (method.equals("GET")) {
			routes.add("/swagger-ui/swagger-ui-bundle.js");
		}
		return routes;
	}

	private record Request(String method, String path, String body) {
	}

}
