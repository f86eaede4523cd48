package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.ManyCases;

/**
 * Each request goes to two equal sessions: as it is, so that a direct route may take it,
 * and with one character of the app percent-encoded, so that Spring MVC takes it.
 */
@HttpTest
class DirectRoutesTests {

	private static final String EVENTS = "/events";

	private static final String BATCH = "/events:batch";

	private static final String ARTIFACTS = "/artifacts/";

	private static final List<String> BODIES = List.of("{'id': 'n1', 'author': 'agent'}",
			"{'author': 'agent', 'id': 'n1', 'actions': {'stateDelta': {'k': 1, 'temp:t': 3}}}",
			"{'id': 'e1', 'author': 'user', 'timestamp': 1}", "{'id': 'e1', 'author': 'somebody else'}", "{'id': 'n1'}",
			"{'author': 1}", "{'Author': 'a'}", "{'id': 'n1', 'author': 'a', 'author': 'b'}", "{}", "[]", "null", "7",
			"{", "", " ", "{'events': []}", "{'events': [{'id': 'n1', 'author': 'a'}]}",
			"{'events': [{'id': 'n1', 'author': 'a'}, {'id': 'n1', 'author': 'b'}]}", "{'events': 1}",
			"{'id': 'n1', 'author': 'a', 'content': {'parts': [{'text': '\\ud800'}]}}",
			"{'id': 'n1', 'author': 'a', 'timestamp': 1e400}", "{'id': 'n1', 'author': 'a\\u0000'}");

	private static final List<List<String>> HEADERS = List.of(List.of("If-Match", "*"), List.of("If-Match", "\"1\""),
			List.of("If-Match", "\"2\"", "If-Match", "\"9\""), List.of("If-Match", ""), List.of("Lease", "1"),
			List.of("Lease", "x"), List.of("Lease", "1", "Lease", "2"), List.of("Accept", "*/*"),
			List.of("Accept", "application/json"), List.of("Accept", "text/html"),
			List.of("Accept", "text/event-stream"), List.of("Accept", "application/json", "Accept", "text/html"),
			List.of("Accept", "nonsense"), List.of("Accept", ""), List.of("Content-Encoding", "identity"),
			List.of("Content-Encoding", "gzip"), List.of("limit", "1"), List.of("Idempotency-Key", "k"),
			List.of("X-HTTP-Method-Override", "DELETE"));

	private static final List<String> QUERIES = List.of("limit=1", "limit=0", "limit=10001", "limit=01", "limit=-1",
			"limit=1&limit=2", "limit=", "limit", "limit=99999999999", "limit=%31", "order=desc", "order=up", "order=",
			"afterSeq=1", "afterSeq=-1", "afterSeq=999999999999", "afterTimestamp=1.5", "afterTimestamp=x",
			"afterTimestamp=2026-01-01T00:00:00Z", "afterTimestamp=2026-01-01T00:00:00%2B01:00", "author=user",
			"author=us+er", "author=user&limit=1", "invocationId=i1", "view=context", "view=full", "view=x",
			"parts=light", "parts=x", "pageToken=x", "unknown=1", "", "&", "=", "=1", "a=b=c", "Limit=1",
			"numRecentEvents=1", "numRecentEvents=0", "numRecentEvents=-1", "numRecentEvents=x", "fromSeq=2",
			"fromSeq=0", "atSeq=1", "atSeq=0", "atSeq=9", "atSeq=1&view=context", "includeRevision=true",
			"includeRevision=TRUE", "includeRevision=1", "seqs=true", "seqs=false&includeRevision=false",
			"lastUpdateTime=1", "lastUpdateTime=x", "lastUpdateTime=", "lastUpdateTime=1&lastUpdateTime=1");

	private static final List<String> TYPES = List.of("application/json; charset=utf-8",
			"application/json;charset=utf-16", "APPLICATION/JSON", "text/json", "application/*+json",
			"application/x-www-form-urlencoded", "multipart/form-data", "nonsense", "");

	private final AtomicInteger sessions = new AtomicInteger();

	private final Api plain;

	private final Api other;

	private final DirectMapping mapping;

	DirectRoutesTests(Http http, DirectMapping mapping) {
		this.plain = new Api(http);
		this.other = new Api(http);
		this.mapping = mapping;
	}

	@Test
	void answersAsSpringMvcDoes() {
		ManyCases.check(Stream.of(appends(), reads(), saves()).flatMap((cases) -> cases), this::checkCase);
	}

	private static Stream<Case> appends() {
		String event = BODIES.get(0);
		String events = "{'events': [" + event + "]}";
		Stream<Case> bodies = BODIES.stream()
			.flatMap((body) -> Stream.of(EVENTS, BATCH).map((path) -> Case.post(path, body)));
		Stream<Case> headers = HEADERS.stream()
			.flatMap((lines) -> Stream.of(Case.post(EVENTS, event).with(lines), Case.post(BATCH, events).with(lines)));
		Stream<Case> queries = QUERIES.stream()
			.flatMap((query) -> Stream.of(Case.post(EVENTS + "?" + query, event),
					Case.post(BATCH + "?" + query, events)));
		Stream<Case> types = TYPES.stream()
			.map((type) -> new Case("POST", EVENTS, event, List.of("Content-Type", type)));
		Stream<Case> others = Stream.of("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")
			.flatMap((method) -> Stream.of("", EVENTS, BATCH).map((path) -> new Case(method, path, "", List.of())));
		return Stream.of(bodies, headers, queries, types, others).flatMap((cases) -> cases);
	}

	private static Stream<Case> reads() {
		Stream<Case> headers = HEADERS.stream()
			.flatMap((lines) -> Stream.of(Case.get("").with(lines), Case.get(EVENTS).with(lines)));
		Stream<Case> queries = QUERIES.stream()
			.flatMap((query) -> Stream.of(Case.get("?" + query), Case.get(EVENTS + "?" + query)));
		Stream<Case> paths = Stream
			.of("/", "//", "/events/", "/events/e1", "/events.json", ".json", "/event", ":get", "/events:x", "/EVENTS",
					"/usage", "x", "~", "x.html")
			.map(Case::get);
		return Stream.of(headers, queries, paths).flatMap((cases) -> cases);
	}

	private static Stream<Case> saves() {
		Stream<Case> headers = Stream
			.concat(HEADERS.stream(),
					Stream.of(List.of("If-None-Match", "*"), List.of("If-None-Match", "x"),
							List.of("X-Custom-Metadata", "%7B%22a%22:1%7D"), List.of("X-Custom-Metadata", "a"),
							List.of("Idempotency-Key", ""), List.of("Idempotency-Key", "a", "Idempotency-Key", "b")))
			.map((lines) -> Case.put("a", "text/plain").with(lines));
		Stream<Case> queries = Stream
			.concat(QUERIES.stream(), Stream.of("part=text", "part=bytes", "part=x", "part=", "part=text&part=text",
					"displayName=a", "displayName=a%20b", "displayName="))
			.map((query) -> Case.put("a?" + query, "text/plain"));
		Stream<Case> types = Stream
			.concat(TYPES.stream(),
					Stream.of("image/png", "text/plain;charset=utf-8", "text/plain; charset=UTF-8",
							"text/plain; charset=x", "multipart/mixed; boundary=a", "a/*", "*/*"))
			.map((type) -> Case.put("a", type));
		Stream<Case> names = Stream
			.of("a.png", "a.b.txt", "a.pdf", "a.html", "user:a", "user:a.json", "user:", "x:a", ".", "..", ".png",
					"a%2Fb", "apps", "a:list", "a/versions", "")
			.map((name) -> Case.put(name, "text/plain"));
		Stream<Case> others = Stream.of("POST", "GET", "DELETE", "PATCH", "OPTIONS", "HEAD")
			.map((method) -> new Case(method, ARTIFACTS + "a", "b", List.of("Content-Type", "text/plain")));
		return Stream.of(headers, queries, types, names, others).flatMap((cases) -> cases);
	}

	private void checkCase(Case request) {
		String id = "s" + this.sessions.incrementAndGet();
		Outcome direct = send(request, this.plain, this.plain.app(), id);
		Outcome springMvc = send(request, this.other, "%61" + this.other.app().substring(1), id);
		assertThat(direct).isEqualTo(springMvc);
	}

	/** Sends a request to a new session and then reads all that the session has. */
	private static Outcome send(Case request, Api api, String app, String id) {
		api.create("{'sessionId': '" + id + "', 'state': {'k': 0}, 'events': [{'id': 'e1', 'author': 'user', "
				+ "'invocationId': 'i1', 'timestamp': 1}, {'id': 'e2', 'author': 'agent', 'timestamp': 2}]}");
		String path = "/apps/" + app + "/users/alice/sessions/" + id + request.path();
		BodyPublisher body = request.body().isEmpty() ? BodyPublishers.noBody()
				: BodyPublishers.ofString(Json.of(request.body()));
		Answer answer = api.http().send(request.method(), path, body, request.headers().toArray(String[]::new));
		String encoded = "/apps/%61" + api.app().substring(1) + "/users/alice/sessions/" + id;
		String after = api.http().get(encoded).body()
				+ api.http().get(encoded + "/artifacts/a/versions/metadata").body();
		return new Outcome(answer.status(), headers(answer, api), neutral(answer.body(), api), neutral(after, api));
	}

	private static Map<String, List<String>> headers(Answer answer, Api api) {
		Map<String, List<String>> headers = new TreeMap<>();
		answer.headers()
			.map()
			.forEach((name, values) -> headers.put(name, values.stream().map((value) -> neutral(value, api)).toList()));
		headers.keySet().removeAll(List.of("date", "x-request-id", "content-length"));
		return headers;
	}

	/** Returns a text without what differs between two equal sessions. */
	private static String neutral(String text, Api api) {
		return text.replace(api.app(), "app")
			.replace("%61" + api.app().substring(1), "app")
			.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "uuid")
			.replaceAll("1[0-9]{9}\\.[0-9]+|(?<=\"\\d\\.|uuid\\.)1[0-9]{15}", "time")
			.replaceAll("\"requestId\":\"[^\"]*\"", "")
			.replaceAll("pageToken=[\\w.-]+|\"nextPageToken\":\"[^\"]*\"", "token");
	}

	/** A header of the request is no query parameter, also not in a record of them. */
	@Test
	void headersAreNoParameters() {
		this.plain.create("{'sessionId': 'h', 'events': [{'author': 'a'}, {'author': 'b'}]}").ok();
		Answer list = this.plain.http()
			.send("GET", this.other.eventsPath("h").replace(this.other.app(), "%61" + this.plain.app().substring(1)),
					BodyPublishers.noBody(), "limit", "1");
		assertThat(list.ok().at("/events")).hasSize(2);
	}

	@Test
	void takesThePlainFormOnly() {
		assertThat(Stream.of("/apps/a/users/u@x.org/sessions/s.1/events", "/apps/a/users/u/sessions/s"))
			.allMatch((path) -> isDirect(new MockHttpServletRequest("GET", path)));
		assertThat(Stream.of("/apps/%61/users/u/sessions/s", "/apps/a/users/u/sessions/s.json",
				"/apps/a/users/u/sessions/..", "/apps/a/users/u/sessions/s:fork", "/apps/a;x/users/u/sessions/s",
				"/apps/a/users/u/sessions/s/", "/console/apps/a/users/u/sessions/s"))
			.noneMatch((path) -> isDirect(new MockHttpServletRequest("GET", path)));
		assertThat(Stream.of("a", "a-b.png", "user:a.txt").map(DirectRoutesTests::put)).allMatch(this::isDirect);
		assertThat(Stream.of(".", "..", "a.pdf", "a%2Fb", "a/versions", "x:a").map(DirectRoutesTests::put))
			.noneMatch(this::isDirect);
	}

	private static HttpServletRequest put(String artifact) {
		return new MockHttpServletRequest("PUT", "/apps/a/users/u/sessions/s/artifacts/" + artifact);
	}

	@Test
	void worksBelowAContextPath() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/base/apps/a/users/u/sessions/s");
		assertThat(isDirect(request)).isFalse();
		request.setContextPath("/base");
		assertThat(isDirect(request)).isTrue();
	}

	private boolean isDirect(HttpServletRequest request) {
		return this.mapping.getHandler(request) != null;
	}

	private record Outcome(int status, Map<String, List<String>> headers, String body, String sessionAfter) {
	}

	private record Case(String method, String path, String body, List<String> headers) {

		static Case get(String path) {
			return new Case("GET", path, "", List.of());
		}

		static Case post(String path, String body) {
			return new Case("POST", path, body, List.of("Content-Type", "application/json"));
		}

		static Case put(String artifact, String type) {
			return new Case("PUT", ARTIFACTS + artifact, "b", List.of("Content-Type", type));
		}

		Case with(List<String> more) {
			List<String> all = new ArrayList<>(this.headers);
			all.addAll(more);
			return new Case(this.method, this.path, this.body, all);
		}

	}

}
