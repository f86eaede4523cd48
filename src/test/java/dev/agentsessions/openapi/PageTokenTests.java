package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springdoc.core.models.GroupedOpenApi;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * A page token is valid for the query that it was given for, and for no other one. Each
 * list of both OpenAPI documents is asked with the token of its first page and one
 * parameter changed, so no parameter of a list can be forgotten.
 */
@HttpTest
@TestInstance(Lifecycle.PER_CLASS)
class PageTokenTests {

	private static final String TOKEN = "pageToken";

	/** With this number of turns and models, the usage has two pages. */
	private static final int MANY = 4000;

	/** A list that gives a token only after it has worked for five seconds. */
	private static final String JOB = "reindexApp";

	private static final Map<String, String> NAMES = Map.of("appName", "a1", "userId", "u1", "sessionId", "s1",
			"engine", "a1", "project", "p", "location", "l");

	/** The parameters of the first page that make it one of several. */
	private static final Map<String, String> FIRST = Map.of("limit", "1", "pageSize", "1", "q", "tulip", "by", "model");

	/** What a page token is not about: which page, and how much of each item. */
	private static final Map<String, String> OF_PAGE = Map.of("limit", "2", "pageSize", "2", "includeState", "false",
			"includeRevision", "true", "parts", "light", "around", "1", "project", "p2", "location", "l2");

	/** What it is about, with another value than that of the first page. */
	private static final Map<String, String> OF_LIST = Map.ofEntries(Map.entry("appName", "a2"),
			Map.entry("engine", "a2"), Map.entry("userId", "u2"), Map.entry("sessionId", "s2"),
			Map.entry("order", "desc"), Map.entry("includeEval", "true"), Map.entry("displayName", "x"),
			Map.entry("label", "a=b"), Map.entry("waiting", "true"), Map.entry("prefix", "s"),
			Map.entry("from", "2000-01-01T00:00:00Z"), Map.entry("until", "2100-01-01T00:00:00Z"),
			Map.entry("error", "true"), Map.entry("tool", "t"), Map.entry("author", "a"), Map.entry("afterSeq", "1"),
			Map.entry("afterTimestamp", "1"), Map.entry("invocationId", "i1"), Map.entry("view", "context"),
			Map.entry("q", "rose"), Map.entry("mode", "text"), Map.entry("exceptSessionId", "s2"),
			Map.entry("minScore", "0.1"), Map.entry("facts", "true"), Map.entry("by", "day"));

	private static final Map<String, String> FILTERS = Map.of("/sessions", "user_id=\"u1\"", "/events",
			"timestamp>=\"2000-01-01T00:00:00Z\"", "/memories",
			"scope=\"{\\\"app_name\\\":\\\"a1\\\",\\\"user_id\\\":\\\"u1\\\"}\"");

	private static final Map<String, String> ORDERS = Map.of("/sessions", "create_time", "/events", "timestamp desc");

	private final Http http;

	private final List<GroupedOpenApi> dialects;

	PageTokenTests(Http http, List<GroupedOpenApi> dialects) {
		this.http = http;
		this.dialects = dialects;
	}

	@BeforeAll
	void fillEveryList() {
		for (String session : List.of("a1/users/u1/sessions/s1", "a1/users/u1/sessions/s2", "a1/users/u2/sessions/s3",
				"a2/users/u1/sessions/s1")) {
			this.http.post("/apps/" + session, "{}").ok();
		}
		String user = "/apps/a1/users/u1";
		for (int n = 1; n <= 2; n++) {
			this.http.post(user + "/sessions/s1/events", """
					{"author":"a","longRunningToolIds":["c%1$d"],"content":{"role":"model","parts":[
					 {"text":"tulip %1$d"},{"functionCall":{"id":"c%1$d","name":"t","args":{}}}]}}""".formatted(n))
				.ok();
			this.http.post(user + "/memories", "{\"id\":\"m%d\",\"text\":\"rose %1$d\"}".formatted(n));
			for (String owner : List.of(user, user + "/sessions/s1")) {
				this.http.send("PUT", owner + "/artifacts/f" + n, BodyPublishers.ofString("x"));
			}
		}
		for (int first = 0; first < MANY; first += 1000) {
			this.http
				.post(user + "/sessions/s1/events:batch",
						IntStream.range(first, first + 1000)
							.mapToObj((n) -> """
									{"author":"b","invocationId":"i%1$d","modelVersion":"m%1$d",\
									"usageMetadata":{"totalTokenCount":1}}""".formatted(n))
							.collect(Collectors.joining(",", "{\"events\":[", "]}")))
				.ok();
		}
	}

	@TestFactory
	Stream<DynamicTest> isValidForItsListOnly() {
		List<ApiOperation> lists = this.dialects.stream()
			.flatMap((dialect) -> ApiDescription.of(this.http, dialect.getGroup()).operations().stream())
			.filter((operation) -> parameters(operation).contains(TOKEN))
			.toList();
		assertThat(lists).extracting(ApiOperation::id).contains(JOB, "searchEventsByBody").hasSizeGreaterThan(15);
		return lists.stream()
			.filter((list) -> !list.id().equals(JOB))
			.map((list) -> DynamicTest.dynamicTest(list.route(), () -> check(list)));
	}

	private void check(ApiOperation list) {
		Set<String> names = parameters(list);
		Map<String, String> query = new TreeMap<>(FIRST);
		query.keySet().retainAll(names);
		NAMES.forEach((name, value) -> {
			if (list.path().contains("{" + name + "}")) {
				query.put(name, value);
			}
		});
		query.put(TOKEN, token(send(list, query)));
		assertThat(send(list, query).status()).isEqualTo(200);
		for (String name : names) {
			if (OF_PAGE.containsKey(name)) {
				Answer answer = send(list, with(query, name, OF_PAGE.get(name)));
				assertThat(answer.status()).as("%s: %s", name, answer.body()).isEqualTo(200);
			}
			else if (!name.equals(TOKEN)) {
				String value = switch (name) {
					case "filter" -> ofPath(list, FILTERS);
					case "orderBy" -> ofPath(list, ORDERS);
					default -> OF_LIST.get(name);
				};
				assertThat(value).as("a value of the parameter %s", name).isNotNull();
				Answer answer = send(list, with(query, name, value));
				assertThat(answer.status()).as("another %s: %s", name, answer.body()).isEqualTo(400);
				assertThat(answer.body()).contains("pageToken must be one that the service has given to you");
			}
		}
	}

	/** The names of all parameters, in the path, in the query and in the body. */
	private static Set<String> parameters(ApiOperation operation) {
		JsonNode body = operation.text().at("/requestBody/content/application~1json/schema");
		Set<String> names = operation.parameters()
			.stream()
			.filter((parameter) -> !parameter.path("in").stringValue().equals("header"))
			.map((parameter) -> parameter.path("name").stringValue())
			.collect(Collectors.toSet());
		names.addAll(operation.api().resolve(body).path("properties").propertyNames());
		// The service has no orders of memories
		names.removeIf((name) -> name.equals("orderBy") && operation.path().endsWith("/memories"));
		return names;
	}

	private static String ofPath(ApiOperation list, Map<String, String> values) {
		return values.get(list.path().substring(list.path().lastIndexOf('/')));
	}

	private static Map<String, String> with(Map<String, String> query, String name, String value) {
		Map<String, String> changed = new LinkedHashMap<>(query);
		changed.put(name, value);
		return changed;
	}

	private Answer send(ApiOperation list, Map<String, String> query) {
		Map<String, String> rest = new LinkedHashMap<>(query);
		String path = list.path();
		for (String name : query.keySet()) {
			if (path.contains("{" + name + "}")) {
				path = path.replace("{" + name + "}", rest.remove(name));
			}
		}
		assertThat(path).as("a value of each variable").doesNotContain("{");
		if (list.method().equals("POST")) {
			return this.http.post(path,
					rest.entrySet()
						.stream()
						.map((field) -> "\"" + field.getKey() + "\":" + json(field.getValue()))
						.collect(Collectors.joining(",", "{", "}")));
		}
		return this.http.get(path + rest.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&", "?", "")));
	}

	private static String json(String value) {
		return value.matches("true|false|\\d+(\\.\\d+)?") ? value : "\"" + value + "\"";
	}

	private static String token(Answer first) {
		assertThat(first.status()).as(first.body()).isEqualTo(200);
		return first.header("X-Next-Page-Token").orElseGet(() -> first.at("/nextPageToken").asString());
	}

}
