package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.VertexApi;

/** Lists what waits for a human, over HTTP. */
@HttpTest
class PendingTests {

	private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	private final Api api;

	PendingTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void ask() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.create("{'sessionId': 's2'}").ok();
		this.api
			.append("s1",
					"""
							{'id': 'e1', 'author': 'agent', 'invocationId': 'i1', 'longRunningToolIds': ['c1', 'c2'], 'content': {'role': 'model',
							 'parts': [{'functionCall': {'id': 'c1', 'name': 'refund', 'args': {'amount': 30}}},
							  {'functionCall': {'id': 'c2', 'name': 'adk_request_confirmation', 'args': {}}}]}}""")
			.ok();
	}

	@Test
	void listsTheCallsOfASession() {
		JsonNode pending = pending("s1", "").ok().at("/pending");
		assertThat(pending.size()).isEqualTo(2);
		JsonNode first = pending.get(0);
		assertThat(first.propertyNames()).containsExactly("appName", "userId", "sessionId", "eventId", "seq", "since",
				"functionCall");
		assertThat(first.at("/functionCall").toString())
			.isEqualTo("{\"id\":\"c1\",\"name\":\"refund\",\"args\":{\"amount\":30}}");
		assertThat(first.at("/since").decimalValue())
			.isEqualByComparingTo(this.api.get("s1").at("/lastUpdateTime").decimalValue());
		assertThat(pending("s2", "").ok().body()).isEqualTo("{\"pending\":[]}");
	}

	@Test
	void forgetsWhatIsAnswered() {
		this.api.append("s1", """
				{'author': 'user', 'content': {'role': 'user', 'parts': [
				 {'functionResponse': {'id': 'c1', 'name': 'refund', 'response': {'ok': true}}}]}}""").ok();
		assertThat(pending("s1", "").text("/pending/0/functionCall/id")).isEqualTo("c2");
		this.api.append("s1", "{'author': 'user', 'actions': {'rewindBeforeInvocationId': 'i1'}}").ok();
		assertThat(pending("s1", "").at("/pending").isEmpty()).isTrue();
	}

	@Test
	void listsSessionsThatWait() {
		assertThat(this.api.list("waiting=true").json().findValuesAsString("id")).containsExactly("s1");
		assertThat(this.api.list("waiting=false").json().findValuesAsString("id")).hasSize(2);
		this.api.list("waiting=maybe").problem(400, "INVALID_ARGUMENT");
		String all = this.api.appPath() + "/sessions?waiting=true";
		assertThat(this.api.http().get(all).json().findValuesAsString("id")).containsExactly("s1");
	}

	@Test
	void listsTheCallsOfAnAppPageByPage() {
		String path = this.api.appPath() + "/pending?limit=1";
		Answer first = this.api.http().get(path).ok();
		assertThat(first.text("/pending/0/functionCall/id")).isEqualTo("c1");
		Answer second = this.api.http().get(path + "&pageToken=" + first.text("/nextPageToken")).ok();
		assertThat(second.text("/pending/0/functionCall/id")).isEqualTo("c2");
		assertThat(second.json().propertyNames()).containsExactly("pending");
		pending("s1", "limit=1&pageToken=" + first.text("/nextPageToken")).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void knowsNothingOfSessionsThatAreNotThere() {
		pending("nobody", "").problem(404, "SESSION_NOT_FOUND");
		assertThat(this.api.http().get("/apps/nobody/pending").ok().body()).isEqualTo("{\"pending\":[]}");
		this.api.delete("s1");
		assertThat(this.api.http().get(this.api.appPath() + "/pending").ok().at("/pending").isEmpty()).isTrue();
	}

	/**
	 * Reported lengths of ids with a signature of a model, which PostgreSQL cannot
	 * compress, and the longest.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 513, 949, 4572, 8192 })
	void listsCallsWithLongIds(int length) {
		String signature = new Random(1).ints(length - 1L, 0, 64)
			.mapToObj((digit) -> "" + BASE64.charAt(digit))
			.collect(Collectors.joining());
		List<String> ids = List.of(signature + "1", signature + "2");
		VertexApi vertex = new VertexApi(this.api.http());
		String app = "/apps/" + vertex.engine();
		vertex.create("s1", "{'userId': 'alice'}").ok();
		vertex
			.append("s1",
					"""
							{'author': 'agent', 'invocationId': 'i1', 'timestamp': '2026-01-01T00:00:00Z', 'eventMetadata':
							 {'longRunningToolIds': ['%1$s', '%2$s']}, 'content': {'parts': [{'functionCall': {'id': '%1$s', 'name': 'f'}},
							 {'functionCall': {'id': '%2$s', 'name': 'f'}}]}}"""
						.formatted(ids.get(0), ids.get(1)))
			.ok();
		assertThat(idsByPages(app + "/pending?limit=1")).containsExactlyInAnyOrderElementsOf(ids);
		String sessions = app + "/users/alice/sessions/";
		this.api.http().post(sessions + "s1:fork", "{\"sessionId\":\"s2\"}");
		this.api.http()
			.post(sessions + "s2/events",
					Json.of("{'author': 'user', 'content': {'parts': [{'functionResponse': {'id': '" + ids.get(0)
							+ "'}}]}}"))
			.ok();
		assertThat(idsByPages(sessions + "s2/pending?limit=1")).containsExactly(ids.get(1));
		String export = this.api.http().get(app + "/users/alice:export").body();
		Api target = new Api(this.api.http());
		target.http()
			.send("POST", target.userPath() + ":import", BodyPublishers.ofString(export), "Content-Type",
					"application/x-ndjson")
			.ok();
		assertThat(idsByPages(target.appPath() + "/pending?limit=2")).containsExactlyInAnyOrder(ids.get(0), ids.get(1),
				ids.get(1));
	}

	/** Reads a list page by page. */
	private List<String> idsByPages(String path) {
		List<String> ids = new ArrayList<>();
		String token = "";
		do {
			Answer page = this.api.http().get(path + token).ok();
			page.at("/pending").forEach((call) -> ids.add(call.at("/functionCall/id").stringValue()));
			token = page.at("/nextPageToken").isMissingNode() ? "" : "&pageToken=" + page.text("/nextPageToken");
		}
		while (!token.isEmpty());
		return ids;
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=0", "limit=ten", "pageToken=2", "Limit=3" })
	void refusesParametersThatAreNone(String query) {
		pending("s1", query).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.appPath() + "/pending?" + query).problem(400, "INVALID_ARGUMENT");
	}

	private Answer pending(String sessionId, String query) {
		return this.api.http().get(this.api.sessionPath(sessionId) + "/pending?" + query);
	}

}
