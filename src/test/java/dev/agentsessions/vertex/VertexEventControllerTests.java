package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.ReadsLog;

/** Appending and listing events over the Vertex AI API. */
@HttpTest
@ExtendWith(OutputCaptureExtension.class)
class VertexEventControllerTests {

	private static final String JAVA = "google-genai-sdk/0.1.0 gl-java/17.0.15";

	private static final String REMOVED = "__ADK_SENTINEL_REMOVED__";

	private final VertexApi api;

	VertexEventControllerTests(Http http) {
		this.api = new VertexApi(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("s1");
	}

	@Test
	void appendsAnEventAndChangesTheState() {
		this.api.appendWith("s1",
				"'actions': {'stateDelta': {'k': {'n': null}, 'user:u': 2, 'temp:t': 3, 'app:gone': null}}");

		JsonNode event = this.api.event("s1");
		assertThat(event.at("/name").stringValue()).startsWith(this.api.name("s1") + "/events/");
		assertThat(event.at("/actions/stateDelta"))
			.isEqualTo(Json.node("{'k': {'n': null}, 'user:u': 2, 'app:gone': null}"));
		assertThat(this.api.get("s1").at("/sessionState"))
			.isEqualTo(Json.node("{'k': {'n': null}, 'user:u': 2, 'app:gone': null}"));
		this.api.appendWith("s1", "'actions': {'state_delta': {'k': null, 'user:u': '" + REMOVED + "'}}");
		assertThat(this.api.get("s1").at("/sessionState")).isEqualTo(Json.node("{'k': null, 'app:gone': null}"));
	}

	@Test
	void unwrapsWhatOldRustClientsSendAndTakesAnEncodedColon() {
		Answer answer = this.api.http()
			.post(this.api.sessionPath("s1") + "%3AappendEvent",
					Json.of("{'event': {'author': 'agent', 'invocation_id': 'i1', 'error_code': null}}"));

		assertThat(answer.ok().body()).isEqualTo("{}");
		assertThat(this.api.event("s1").at("/invocationId").stringValue()).isEqualTo("i1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'invocationId': 'i'}", "{'author': '', 'invocationId': 'i'}",
			"{'author': 'a', 'invocationId': 'i', 'timestamp': 'now'}",
			"{'author': 'a', 'invocationId': 'i', 'timestamp': {'seconds': 1e30}}",
			"{'author': 'a', 'invocationId': 'i', 'timestamp': {'seconds': 99999999999999}}",
			"{'author': 'a', 'invocationId': 'i', 'content': 'hello'}",
			"{'author': 'a', 'invocationId': 'i', 'rawEvent': 'hello'}",
			"{'author': 'a', 'invocationId': 'i', 'actions': {'stateDelta': []}}", "{'event': 1}", "{'event': null}",
			"null", "[]", "{" })
	void refusesWhatIsNotAnEvent(String event) {
		VertexApi.error(this.api.append("s1", event), 400, "INVALID_ARGUMENT");

		assertThat(this.api.events("s1").ok().body()).isEqualTo("{\"sessionEvents\":[]}");
	}

	@Test
	@ReadsLog("dev.agentsessions.vertex.VertexExceptionHandler")
	void saysInTheLogThatAnEventWasNotStored(CapturedOutput log) {
		VertexApi.error(this.api.append("none", "{'author': 'a', 'invocationId': 'i'}", "User-Agent", JAVA), 404,
				"NOT_FOUND");

		assertThat(log).contains("An event was not stored: answered 404 to " + this.api.sessionPath("none"));
		this.api.http().post(this.api.sessionPath("s1") + "%3AappendEvent", "{}", "User-Agent", JAVA);
		assertThat(log).contains("An event was not stored: answered 400 to " + this.api.sessionPath("s1"));
		this.api.append("s1", "{'line\\nhidden': 1, 'line\\nhidden': 1}", "User-Agent", JAVA);
		assertThat(log).doesNotContain("hidden");
	}

	@Test
	void storesNoPartOfAStreamedAnswer() {
		this.api.appendWith("s1", "'eventMetadata': {'partial': true}, 'actions': {'stateDelta': {'k': 1}}");

		assertThat(this.api.events("s1").ok().body()).isEqualTo("{\"sessionEvents\":[]}");
		assertThat(this.api.get("s1").at("/sessionState")).isEqualTo(Json.node("{}"));
	}

	@Test
	void keepsTheIdOfTheClientAndTakesARetryForOne() {
		String event = "{'author': 'a', 'invocationId': 'i', 'timestamp': '2026-01-01T00:00:00Z', 'rawEvent': {'id': 'e-1'}}";
		this.api.append("s1", event).ok();
		this.api.append("s1", event).ok();

		assertThat(VertexApi.texts(this.api.events("s1"), "sessionEvents", "name"))
			.containsExactly(this.api.name("s1") + "/events/e-1");
		this.api.append("s1", event.replace("'a'", "'b'")).ok();
		assertThat(VertexApi.texts(this.api.events("s1"), "sessionEvents", "author")).containsExactly("a", "b");
	}

	@Test
	void doesNotMakeAnIdOutOfWhatCannotStandInAName() {
		this.api.appendWith("s1", "'rawEvent': {'id': 'a/b'}");

		assertThat(this.api.event("s1").at("/name").stringValue()).matches(".*/events/[0-9a-f-]{36}");
		assertThat(this.api.event("s1").at("/rawEvent")).isEqualTo(Json.node("{'id': 'a/b'}"));
	}

	@Test
	void listsEventsByTheirOwnTime() {
		this.api.appendAt("s1", "2026-01-01T00:00:02.000000001Z");
		this.api.appendAt("s1", "0001-01-01T00:00:00Z");
		this.api.appendAt("s1", "2026-01-01T01:00:01.5+01:00");

		assertThat(VertexApi.texts(this.api.events("s1"), "sessionEvents", "timestamp"))
			.containsExactly("0001-01-01T00:00:00Z", "2026-01-01T00:00:01.500Z", "2026-01-01T00:00:02.000000001Z");
		assertThat(VertexApi.texts(this.api.events("s1", "orderBy", "timestamp desc"), "sessionEvents", "timestamp"))
			.first()
			.isEqualTo("2026-01-01T00:00:02.000000001Z");
	}

	@Test
	void listsEventsOfTheSameMicrosecondInOrder() {
		for (int nanos : new int[] { 1, 400, 100, 300, 200, 999_999 }) {
			this.api.appendAt("s1", "2026-01-01T00:00:00.000%06dZ".formatted(nanos));
		}

		assertThat(VertexApi.texts(this.api.events("s1"), "sessionEvents", "timestamp")).hasSize(6).isSorted();
		assertThat(VertexApi.texts(this.api.events("s1", "orderBy", "timestamp desc"), "sessionEvents", "timestamp"))
			.hasSize(6)
			.isSortedAccordingTo(Comparator.reverseOrder());
		Answer first = this.api.events("s1", "pageSize", "4");
		assertThat(VertexApi.texts(this.api.events("s1", "pageSize", "4", "pageToken", first.text("/nextPageToken")),
				"sessionEvents", "timestamp"))
			.hasSize(2)
			.doesNotContainAnyElementsOf(VertexApi.texts(first, "sessionEvents", "timestamp"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0',
			value = { "timestamp>=\"2026-01-01T00:00:01Z\" | 1 2 3", "timestamp > \"2026-01-01T00:00:01Z\" | 2 3",
					"timestamp<=\"2026-01-01T00:00:01+00:00\" | 0 1", "timestamp<\"2026-01-01T00:00:01Z\" | 0",
					"timestamp=\"2026-01-01T00:00:01Z\" | 1",
					"timestamp>=\"2026-01-01T00:00:01.000000001Z\" AND timestamp<\"2026-01-01T00:00:03Z\" | 2",
					"timestamp>=\"2026-01-01T00:00:03.000000001Z\" | " })
	void listsEventsOfATimeToTheNanosecond(String filter, String expected) {
		for (int second = 0; second < 4; second++) {
			this.api.appendAt("s1", "2026-01-01T00:00:0" + second + "Z");
		}

		List<String> seconds = VertexApi.texts(this.api.events("s1", "filter", filter), "sessionEvents", "timestamp")
			.stream()
			.map((time) -> time.substring(18, 19))
			.toList();
		assertThat(String.join(" ", seconds)).isEqualTo((expected != null) ? expected : "");
	}

	@Test
	void understandsAPlusSignThatWasNotEncoded() {
		this.api.appendAt("s1", "2026-01-01T00:00:01Z");

		assertThat(this.api.http()
			.get(this.api.sessionPath("s1") + "/events?filter=timestamp%3E%3D%222026-01-01T00:00:00+00:00%22")
			.ok()
			.at("/sessionEvents")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "filter, author=\"x\"", "filter, timestamp>=\"yesterday\"", "orderBy, author", "pageSize, -1",
			"pageToken, x" })
	void refusesParametersThatItDoesNotKnow(String name, String value) {
		VertexApi.error(this.api.events("s1", name, value), 400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2147483648", "many" })
	void saysWhichParameterIsNoNumber(String pageSize) {
		assertThat(VertexApi.error(this.api.events("s1", "pageSize", pageSize), 400, "INVALID_ARGUMENT")
			.text("/error/message")).isEqualTo("pageSize must be a whole number, and not too large");
	}

	@Test
	void saysThatTheBodyIsMissing() {
		assertThat(VertexApi.error(this.api.append("s1", ""), 400, "INVALID_ARGUMENT").text("/error/message"))
			.isEqualTo("A JSON object is required as the body");
	}

	@Test
	void listsEverythingUnlessAPageIsAskedFor() {
		appendEachSecond(0, 1000);
		appendEachSecond(1000, 1100);

		Answer all = this.api.events("s1");
		assertThat(VertexApi.texts(all, "sessionEvents", "timestamp")).hasSize(1100).isSorted();
		assertThat(all.json().has("nextPageToken")).isFalse();
		Answer first = this.api.events("s1", "pageSize", "100", "orderBy", "timestamp desc");
		Answer second = this.api.events("s1", "pageSize", "900", "orderBy", "timestamp desc", "pageToken",
				first.text("/nextPageToken"));
		Answer last = this.api.events("s1", "pageSize", "250", "orderBy", "timestamp desc", "pageToken",
				second.text("/nextPageToken"));
		assertThat(first.at("/sessionEvents")).hasSize(100);
		assertThat(second.at("/sessionEvents")).hasSize(900);
		assertThat(last.at("/sessionEvents")).hasSize(100);
		assertThat(last.json().has("nextPageToken")).isFalse();
		assertThat(last.text("/sessionEvents/99/timestamp")).isEqualTo("2026-01-01T00:00:00Z");
	}

	/** Appends an event for each of these seconds of the year 2026, in one request. */
	private void appendEachSecond(int begin, int end) {
		long year = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
		String events = IntStream.range(begin, end)
			.mapToObj((second) -> "{'timestamp': " + (year + second) + "}")
			.collect(Collectors.joining(","));
		this.api.http()
			.post(this.api.adkPath("alice") + "/s1/events:batch", Json.of("{'events': [" + events + "]}"))
			.ok();
	}

	@Test
	void saysThatTheSessionIsNewerThanItsEvents() {
		this.api.appendAt("s1", "2999-01-01T00:00:00Z");

		assertThat(this.api.get("s1").text("/updateTime")).isEqualTo("2999-01-01T00:00:00.001Z");
	}

	@Test
	void takesOneLayerOffTheDataThatAdkJavaEncodesTwice() {
		this.api
			.append("s1",
					"{'author': 'a', 'invocationId': 'i', 'content': {'role': 'user', 'parts': "
							+ "[{'inlineData': {'data': 'QVFJREJBPT0='}}, {'text': 'x'}]}}",
					"User-Agent", JAVA)
			.ok();

		assertThat(this.api.event("s1").at("/content/parts/0/inlineData"))
			.isEqualTo(Json.node("{'data': 'AQIDBA==', 'mimeType': 'application/octet-stream'}"));
		Answer java = this.api.http()
			.send("GET", this.api.sessionPath("s1") + "/events", BodyPublishers.noBody(), "User-Agent", JAVA);
		assertThat(java.ok().text("/sessionEvents/0/content/parts/0/inlineData/data")).isEqualTo("QVFJREJBPT0=");
	}

	@Test
	void goesOnWithNoOtherSessionThatHasTakenThePlaceOfTheListed() {
		this.api.appendAt("s1", "2026-01-01T00:00:01Z");
		this.api.appendAt("s1", "2026-01-01T00:00:02Z");
		String token = this.api.events("s1", "pageSize", "1").text("/nextPageToken");
		this.api.delete("s1").ok();
		this.api.create("s1");
		this.api.appendAt("s1", "2026-01-01T00:00:03Z");

		VertexApi.error(this.api.events("s1", "pageToken", token), 404, "NOT_FOUND");
		assertThat(VertexApi.texts(this.api.events("s1"), "sessionEvents", "timestamp"))
			.containsExactly("2026-01-01T00:00:03Z");
	}

	@Test
	void answersAMissingSessionAsSuch() {
		VertexApi.error(this.api.events("none"), 404, "NOT_FOUND");
		VertexApi.error(this.api.append("none", "{'author': 'a', 'invocationId': 'i'}"), 404, "NOT_FOUND");
	}

}
