package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.agentsessions.console.PageVisitor;
import dev.agentsessions.openapi.ApiDescription;
import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/**
 * Plants secrets in every field of every write of both documents, and then looks for them
 * in every answer. A new write, read or page makes this test fail until it is looked at.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class PlantedSecretsTests extends SecuredServiceTest {

	private static final String NEEDLE = "Xq7neEdle";

	private static final String SERVICE_ACCOUNT = """
			{"type":"service_account","private_key_id":"Xq7neEdle1","token_uri":"https://t.example/",\
			"private_key":"-----BEGIN PRIVATE KEY-----\\nXq7neEdle2\\n-----END PRIVATE KEY-----\\n","note":"planted"}""";

	private static final String TEXT = String.join("; ", "planted AIzaSyXq7neEdle0123456789",
			"\"client_secret\": \"Xq7neEdle\"", "GOCSPX-Xq7neEdle0123", "access_token=Xq7neEdle", "ya29.Xq7neEdle0123",
			"refresh_token: Xq7neEdle", "1//0Xq7neEdle0123456789", "Authorization: Bearer Xq7neEdle",
			"-H \"x-api-key: Xq7neEdle\"", "ghp_Xq7neEdle0123456789", SERVICE_ACCOUNT);

	private static final String SHORT = "planted sk-Xq7neEdle01234";

	private static final List<String> TEXTS = List.of(TEXT, SERVICE_ACCOUNT, SHORT);

	private static final String ID = "planted-secrets";

	private static final String USER = "/apps/shop/users/ann";

	private static final String SESSION = USER + "/sessions/" + ID;

	private static final String CHAT = """
			{"id":"planted-1","invocationId":"i-1","author":"user","timestamp":1767225600,"errorCode":"%1$s",\
			"errorMessage":"%1$s","modelVersion":"%1$s","branch":"%1$s","finishReason":"%1$s",\
			"usageMetadata":{"promptTokenCount":7},"customMetadata":{"api_key":"Xq7neEdle","a":"%1$s"},\
			"groundingMetadata":{"a":"%1$s"},"inputTranscription":{"text":"%1$s"},"longRunningToolIds":["call-1"],\
			"content":{"role":"user","parts":[{"text":"planted %1$s"},{"thought":true,"text":"%1$s"},\
			{"inlineData":{"mimeType":"text/plain","displayName":"%1$s","data":"%2$s"}},\
			{"functionCall":{"id":"call-1","name":"get","args":{"headers":{"Authorization":"Xq7neEdle","Cookie":"Xq7neEdle"},\
			"q":"%1$s"}}},\
			{"functionResponse":{"id":"call-0","name":"get","response":{"error":"%1$s","password":"Xq7neEdle"}}},\
			{"executableCode":{"code":"%1$s"}},{"codeExecutionResult":{"output":"%1$s"}},\
			{"fileData":{"fileUri":"https://x.example/?access_token=Xq7neEdle"}}]},\
			"actions":{"stateDelta":{"api_key":"Xq7neEdle","user:client_secret":{"v":"Xq7neEdle"},\
			"app:account":%3$s,"note":"%1$s"},"transferToAgent":"%1$s"}}""";

	/** Names and ids, which are shown as they are, and the bytes of artifacts. */
	private static final Set<String> NAMES = Set.of("id", "ids", "sessionId", "eventId", "invocationId", "userId",
			"streamId", "holder", "filename", "beforeInvocationId", "beforeEventId", "app_name", "user_id",
			"removeKeys", "longRunningToolIds", "data", "artifact.text");

	private static final Map<String, String> VARIABLES = Map.ofEntries(Map.entry("appName", "shop"),
			Map.entry("userId", "ann"), Map.entry("sessionId", ID), Map.entry("eventId", "planted-1"),
			Map.entry("part", "2"), Map.entry("engine", "shop"), Map.entry("memoryId", "planted-fact"),
			Map.entry("artifact", "planted.txt"), Map.entry("version", "0"), Map.entry("project", "p"),
			Map.entry("location", "l"));

	private static final List<String> QUERIES = List.of("", "q=planted", "limit=100", "limit=100&includeState=true",
			"by=model", "filter=user_id%3D%22ann%22", "numRecentEvents=50", "parts=light", "atSeq=6", "by=turn");

	private static final Set<String> WITHOUT_CONTENTS = Set.of("getArtifactContent", "getArtifactContentOfUser",
			"getOperation", "getOperationOfEngine", "getOperationOfSession", "health", "listApps", "listArtifactNames",
			"listArtifactNamesOfUser", "listArtifactVersions", "listArtifactVersionsOfUser", "listUsers", "version");

	private static final Set<String> PAGES_WITHOUT_CONTENTS = Set.of("/console", "/console/apps/{appName}/find",
			"/console/apps/{appName}/users", "/console/apps/{appName}/users.csv", "/console/apps/{appName}/week",
			"/console/apps/{appName}/users/{userId}/erase",
			"/console/apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts",
			"/console/apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/content",
			"/console/apps/{appName}/users/{userId}/sessions/{sessionId}/watch", "/console/static/{name}");

	private static final String SCOPE = "{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"}%s}";

	private static final Map<String, List<String>> BODIES = Map.of("events:get", List.of("{\"ids\":[\"planted-1\"]}"),
			":render", List.of("{\"template\":\"{note} {api_key} {app:account}\"}"), "events:search",
			List.of("{\"q\":\"planted\",\"limit\":100,\"around\":3}", "{\"q\":\"planted\",\"facts\":\"only\"}"),
			"memories:retrieve", List.of(SCOPE.formatted(""),
					SCOPE.formatted(",\"similaritySearchParams\":{\"searchQuery\":\"planted\",\"topK\":50}")));

	private final AtomicInteger next = new AtomicInteger();

	private final Set<String> refused = new TreeSet<>();

	private final Set<String> planted = new TreeSet<>();

	@BeforeAll
	void plant(CapturedOutput output) {
		call("DELETE", USER).as(Keys.ADMINISTRATOR).send();
		ok("POST", USER + "/sessions", "{\"sessionId\":\"%s\"}".formatted(ID));
		plantMuch();
		operations().filter((operation) -> Set.of("POST", "PUT", "PATCH").contains(operation.method()))
			.forEach((operation) -> operation.requestExamples().values().forEach((body) -> plant(operation, body)));
		plantMuch();
		assertThat(output.getAll()).doesNotContain(NEEDLE);
	}

	private void plantMuch() {
		append();
		String number = Integer.toString(this.next.incrementAndGet());
		String notes = "{\"api_key\":\"Xq7neEdle\",\"note\":\"%s\"}".formatted(escaped(TEXT));
		for (String id : List.of("planted-fact", "planted-fact-" + number)) {
			call("POST", USER + "/memories").as(Keys.AGENT)
				.json("{\"id\":\"%s\",\"text\":\"%s\",\"author\":\"%s\",\"metadata\":%s}".formatted(id, escaped(TEXT),
						SHORT, notes))
				.send();
		}
		for (String owner : List.of(SESSION, USER)) {
			ok("POST", owner + "/artifacts", ("{\"filename\":\"planted.txt\",\"customMetadata\":%s,\"artifact\":"
					+ "{\"inlineData\":{\"mimeType\":\"text/plain\",\"displayName\":\"%s\",\"data\":\"eA==\"}}}")
				.formatted(notes, SHORT));
		}
		ok("PATCH", SESSION, "{\"displayName\":\"%s\",\"labels\":{\"api_key\":\"Xq7neEdle\",\"note\":\"%s\"}}"
			.formatted(SHORT, SHORT));
	}

	private void append() {
		String data = Base64.getEncoder().encodeToString(TEXT.getBytes(StandardCharsets.UTF_8));
		String chat = CHAT.formatted(escaped(TEXT), data, SERVICE_ACCOUNT);
		int number = this.next.incrementAndGet();
		ok("POST", SESSION + "/events",
				chat.replace("planted-1", "planted-" + number).replace("\"i-1\"", "\"i-%d\"".formatted(number)));
	}

	private static String escaped(String text) {
		String quoted = StringNode.valueOf(text).toString();
		return quoted.substring(1, quoted.length() - 1);
	}

	private void ok(String method, String path, String body) {
		HttpResponse<String> response = call(method, path).as(Keys.ADMINISTRATOR).json(body).send();
		assertThat(response.statusCode()).as("%s %s: %s", method, path, response.body()).isBetween(200, 204);
	}

	/** Plants each text in each field of a copy of the body. */
	private void plant(ApiOperation operation, JsonNode example) {
		if (example.isString()) {
			// Other texts are bytes of an artifact
			if (example.stringValue().startsWith("{")) {
				plantInLines(operation, example.stringValue());
			}
			return;
		}
		for (String field : fields(example, "").keySet()) {
			if (!isName(field)) {
				boolean accepted = false;
				for (String text : TEXTS) {
					JsonNode body = fresh(operation, example.deepCopy());
					fields(body, "").get(field).accept(StringNode.valueOf(text));
					accepted |= send(operation, body.toString(), field);
				}
				(accepted ? this.planted : this.refused).add(operation.id() + " " + field);
			}
		}
	}

	/** Plants each text in a field of all lines that have it. */
	private void plantInLines(ApiOperation operation, String example) {
		List<JsonNode> lines = example.replace("carol", "ann")
			.replace("archive", "shop")
			.replace("c-1", "imported")
			.lines()
			.map(Json::read)
			.toList();
		Set<String> all = new TreeSet<>();
		lines.forEach((line) -> all.addAll(fields(line, "").keySet()));
		all.removeIf(PlantedSecretsTests::isName);
		for (String field : all) {
			boolean accepted = false;
			for (String text : TEXTS) {
				String body = lines.stream().map((line) -> {
					JsonNode copy = line.deepCopy();
					fields(copy, "").getOrDefault(field, (none) -> {
					}).accept(StringNode.valueOf(text));
					return copy.toString();
				}).collect(Collectors.joining("\n"));
				accepted |= send(operation, body, "lines");
			}
			(accepted ? this.planted : this.refused).add(operation.id() + " " + field);
		}
	}

	private static boolean isName(String field) {
		return NAMES.contains(field) || NAMES.contains(field.substring(field.lastIndexOf('.') + 1));
	}

	private boolean send(ApiOperation operation, String body, String field) {
		String path = path(operation, "").replace(operation.id().equals("createSessionWithId") ? ID : "\n",
				"s-" + this.next.incrementAndGet());
		Call call = call(operation.method(), path).as(Keys.ADMINISTRATOR);
		int status = (field.equals("lines") ? call.lines(body) : call.json(body)).status();
		assertThat(status).as("%s %s", operation.id(), field).isNotEqualTo(500);
		return status < 300;
	}

	/** Sets a field: all fields that are texts, by their path without indexes. */
	private static Map<String, Consumer<JsonNode>> fields(JsonNode body, String path) {
		Map<String, Consumer<JsonNode>> fields = new TreeMap<>();
		if (body instanceof ObjectNode object) {
			object.forEachEntry((name, value) -> {
				String below = path.isEmpty() ? name : path + "." + name;
				fields
					.putAll(value.isString() ? Map.of(below, (text) -> object.set(name, text)) : fields(value, below));
			});
		}
		else if (body instanceof ArrayNode array) {
			IntStream.range(0, array.size())
				.forEach((index) -> fields.putAll(array.get(index).isString()
						? Map.of(path, (text) -> array.set(index, text)) : fields(array.get(index), path)));
		}
		return fields;
	}

	/** The names that the other requests know, and ids that no other request has. */
	private JsonNode fresh(ApiOperation operation, JsonNode body) {
		String number = "-" + this.next.incrementAndGet();
		String text = body.toString()
			.replace("alice", "ann")
			.replace("1234567890", "shop")
			.replaceAll("\"(id|eventId|streamId)\":\"([^\"]*)\"", "\"$1\":\"$2%s\"".formatted(number))
			.replaceAll("\"(beforeInvocationId)\":\"[^\"]*\"", "\"$1\":\"i-1\"")
			.replaceAll("\"(beforeEventId)\":\"[^\"]*\"", "\"$1\":\"planted-1\"")
			.replaceAll("\"sessionId\":\"[^\"]*\"",
					"\"sessionId\":\"%s\"".formatted(operation.id().equals("addSessionToMemory") ? ID : "s" + number));
		return Json.read(text);
	}

	private Stream<ApiOperation> operations() {
		return Stream.of("adk", "vertex")
			.flatMap((group) -> ApiDescription.of(new Http(port()), group).operations().stream());
	}

	private static String path(ApiOperation operation, String query) {
		return UriComponentsBuilder.fromPath(operation.path())
			.build()
			.expand((name) -> VARIABLES.getOrDefault(name, "x"))
			.encode()
			.toUriString() + (query.isEmpty() ? "" : "?" + query);
	}

	@Test
	void areInEveryFieldThatTakesThem() {
		assertThat(this.planted).hasSizeGreaterThan(40)
			.contains("appendEvent content.parts.text", "createSession labels.channel", "updateUserState language",
					"createMemory metadata.source", "saveArtifact customMetadata.source",
					"createMemory metadata.source.stringValue");
		assertThat(this.refused).as("fields that take no such text")
			.containsExactlyInAnyOrder("acquireLease ttl", "appendEvent timestamp", "createMemory ttl",
					"createSession ttl", "importApp kind", "importUser kind",
					"ingestEvents directContentsSource.events.eventTime", "purgeMemories filter",
					"searchEventsByBody mode");
	}

	@Test
	void areMaskedForReadersInEveryAnswerAndWholeForAgents(CapturedOutput output) {
		Set<String> without = new TreeSet<>();
		Set<String> leaks = new TreeSet<>();
		operations().filter(PlantedSecretsTests::isRead).forEach((operation) -> {
			List<String> whole = answers(operation, Keys.ADMINISTRATOR);
			answers(operation, Keys.READER)
				.forEach((answer) -> leak(answer).ifPresent((leak) -> leaks.add(operation.route() + ": " + leak)));
			if (whole.stream().noneMatch((answer) -> answer.contains(NEEDLE))) {
				without.add(operation.id());
			}
			assertThat(whole).as(operation.route()).noneMatch((answer) -> answer.contains("[masked]"));
		});
		assertThat(Map.of("leaks", leaks, "without a secret", without))
			.isEqualTo(Map.of("leaks", Set.of(), "without a secret", WITHOUT_CONTENTS));
		assertThat(output.getAll()).doesNotContain(NEEDLE);
		assertThat(call("GET", "/actuator/prometheus").as(Keys.METRICS).send().body()).doesNotContain(NEEDLE);
	}

	/** {@link SecretsTests} finds the other ones that readers may use. */
	private static boolean isRead(ApiOperation operation) {
		return operation.method().equals("GET")
				|| operation.method().equals("POST") && BODIES.keySet().stream().anyMatch(operation.path()::endsWith);
	}

	/** Returns a secret and what is around it. */
	private static Optional<String> leak(String answer) {
		int found = answer.indexOf(NEEDLE);
		return (found < 0) ? Optional.empty()
				: Optional.of(answer.substring(Math.max(0, found - 150), Math.min(answer.length(), found + 50)));
	}

	private List<String> answers(ApiOperation operation, Keys key) {
		if (operation.success().path("content").has("text/event-stream")) {
			try (EventSource events = EventSource.open(port(), path(operation, ""), "Last-Event-ID", "0",
					"Authorization", "Bearer " + key.key())) {
				return IntStream.range(0, 20).mapToObj((i) -> events.next().data()).toList();
			}
		}
		List<String> bodies = BODIES.entrySet()
			.stream()
			.filter((entry) -> operation.path().endsWith(entry.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(List.of("{}"));
		boolean get = operation.method().equals("GET");
		List<String> answers = new ArrayList<>();
		for (String each : get ? QUERIES : bodies) {
			Call call = call(operation.method(), path(operation, get ? each : "")).as(key);
			HttpResponse<String> response = (get ? call : call.json(each)).send();
			answers.add(response.headers().map() + "\n" + response.body());
		}
		return answers;
	}

	@Test
	void areMaskedOnEveryPageOfTheConsole(CapturedOutput output) {
		PageVisitor visitor = new PageVisitor(port());
		visitor.signIn(Keys.ADMINISTRATOR.key());
		String user = "/console" + USER;
		Deque<String> pages = new ArrayDeque<>(List.of("/console", user, "/console" + SESSION,
				"/console/apps/shop/search?q=planted", user + "/search?q=planted",
				"/console" + SESSION + "/search?q=planted", "/console/apps/shop/failures",
				"/console/apps/shop/overview", "/console/apps/shop/week", "/console/apps/shop/usage?by=model",
				user + "/usage?by=model", "/console" + SESSION + "/usage?by=model", "/console/apps/shop/sessions.csv",
				"/console/apps/shop/users.csv", user + "/sessions.csv", "/console" + SESSION + "/compare?with=imported",
				"/console" + SESSION + "/tail?after=0", "/console" + SESSION + "/events/planted-1/parts/2",
				"/console" + SESSION + "/turn?at=1", "/console/apps/shop/users/ann/facts"));
		Set<String> seen = new HashSet<>(pages);
		Map<String, Integer> visits = new HashMap<>();
		Map<String, Pattern> routes = consoleRoutes();
		Set<String> masked = new TreeSet<>();
		Set<String> leaks = new TreeSet<>();
		while (!pages.isEmpty()) {
			String address = pages.remove();
			String route = routes.entrySet()
				.stream()
				.filter((each) -> each.getValue().matcher(address.replaceAll("[?#].*", "")).matches())
				.map(Map.Entry::getKey)
				.findFirst()
				.orElse("");
			if (visits.merge(route, 1, Integer::sum) > 12) {
				continue;
			}
			Answer page = visitor.get(address);
			leak(page.headers().map() + page.body()).ifPresent((leak) -> leaks.add(route + ": " + leak));
			if (page.body().contains("[masked]")) {
				masked.add(route);
			}
			PageVisitor.links(page)
				.stream()
				.map((link) -> link.replaceAll("#.*", ""))
				.filter((link) -> link.startsWith("/console") && !link.contains("watch"))
				.filter(seen::add)
				.forEach(pages::add);
		}
		Set<String> without = new TreeSet<>(routes.keySet());
		without.removeAll(masked);
		// It shows what is new in the app, which other tests use, too
		without.remove("/console/apps/{appName}/overview");
		assertThat(leaks).isEmpty();
		assertThat(without).as("pages without a secret").isEqualTo(PAGES_WITHOUT_CONTENTS);
		assertThat(output.getAll()).doesNotContain(NEEDLE);
	}

	private Map<String, Pattern> consoleRoutes() {
		JsonNode mappings = Json.read(call("GET", "/actuator/mappings").as(Keys.ADMINISTRATOR).send().body());
		return mappings.findValues("requestMappingConditions")
			.stream()
			.filter((mapping) -> mapping.path("methods").toString().contains("GET"))
			.flatMap((mapping) -> mapping.path("patterns").valueStream().map(JsonNode::stringValue))
			.filter((pattern) -> pattern.startsWith("/console"))
			.distinct()
			.sorted((one, other) -> Boolean.compare(one.endsWith("}"), other.endsWith("}")))
			.collect(Collectors.toMap((pattern) -> pattern,
					(pattern) -> Pattern
						.compile(pattern.replaceAll("\\{\\w+:([^}]*)}", "($1)").replaceAll("\\{\\w+}", "[^/]+")),
					(one, other) -> one, LinkedHashMap::new));
	}

	@Test
	void areNotFoundByASearchOfAReader() {
		String search = USER + "/events:search?limit=100&q=";
		for (String word : List.of("Xq7neEdle", "Xq7neEdle0123", "ya29.Xq7neEdle0123")) {
			assertThat(Json.read(call("GET", search + word).as(Keys.READER).send().body()).get("hits")).isEmpty();
		}
		assertThat(Json.read(call("GET", search + "Xq7neEdle").as(Keys.AGENT).send().body()).get("hits")).isNotEmpty();
		assertThat(Json.read(call("GET", search + "planted").as(Keys.READER).send().body()).get("hits")).isNotEmpty();
	}

}
