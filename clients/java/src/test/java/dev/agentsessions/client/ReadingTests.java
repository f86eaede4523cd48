// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.genai.types.CustomMetadata;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import com.google.genai.types.StringList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An event that ADK cannot hold costs the smallest part that is wrong, and never the
 * session.
 */
class ReadingTests {

	private static final byte[] BYTES = { -5, -1, -65 };

	/** An event with each kind of value that ADK Java reads, as ADK Python writes it. */
	private static final String EVENT = """
			{"id": "e", "author": "agent", "invocationId": "i", "timestamp": 1.5, "branch": "b", "partial": false,
			"content": {"role": "model", "parts": [
				{"text": "Hello", "thought": true, "thoughtSignature": "-_-_"},
				{"inlineData": {"mimeType": "image/png", "data": "-_-_"},
					"videoMetadata": {"startOffset": "1s", "endOffset": "2.5s", "fps": 0.5}},
				{"fileData": {"mimeType": "image/png", "fileUri": "gs://b/f"}},
				{"functionCall": {"id": "c", "name": "f", "args": {"k": null}}},
				{"functionResponse": {"id": "c", "name": "f", "response": {"k": 1},
					"parts": [{"inlineData": {"mimeType": "image/png", "data": "-_-_"}}]}},
				{"executableCode": {"code": "1", "language": "PYTHON"}},
				{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}]},
			"actions": {"stateDelta": {"k": 1}, "artifactDelta": {"f": 1}, "transferToAgent": "other", "escalate": true,
				"requestedAuthConfigs": {"c": {"k": 1}}, "deletedArtifactIds": ["g"],
				"requestedToolConfirmations": {"c": {"hint": "h", "confirmed": true}},
				"compaction": {"startTimestamp": 1.5, "endTimestamp": "1970-01-01T01:00:02.5+01:00",
					"compactedContent": {"role": "user", "parts": [{"text": "short", "thoughtSignature": "-_-_"}]}}},
			"customMetadata": [{"key": "k", "stringValue": "v"}, {"key": "n", "numericValue": 1.5}],
			"longRunningToolIds": ["c"], "usageMetadata": {"promptTokenCount": 1,
				"promptTokensDetails": [{"modality": "TEXT", "tokenCount": 1}]},
			"finishReason": "STOP", "errorMessage": "m", "avgLogprobs": 0.5, "modelVersion": "v",
			"groundingMetadata": {"searchEntryPoint": {"sdkBlob": "-_-_"}, "webSearchQueries": ["q"],
				"groundingChunks": [{"web": {"title": "t"}}],
				"groundingSupports": [{"segment": {"startIndex": 1}, "confidenceScores": [0.5]}]},
			"inputTranscription": {"text": "t", "finished": true}}""";

	/** Fields for which the service has rules of its own. */
	private static final Set<String> KEPT = Set.of("/id", "/author", "/timestamp");

	private static final Logger LOGGER = Logger.getLogger(AgentSessionService.class.getName());

	private final List<String> logged = new ArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord line) {
			ReadingTests.this.logged.add(line.getMessage());
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	@BeforeEach
	void listen() {
		LOGGER.addHandler(this.handler);
		LOGGER.setUseParentHandlers(false);
	}

	@AfterEach
	void listenNoMore() {
		LOGGER.removeHandler(this.handler);
	}

	@Test
	void readsBytesAndTimesInAnyField() {
		Event event = read(json(EVENT));
		assertEquals(List.of(), unreadable(event));
		List<Part> parts = event.content().get().parts().get();
		assertArrayEquals(BYTES, parts.get(0).thoughtSignature().get());
		assertArrayEquals(BYTES, parts.get(1).inlineData().get().data().get());
		assertEquals(Duration.ofMillis(2500), parts.get(1).videoMetadata().get().endOffset().get());
		assertArrayEquals(BYTES, parts.get(4).functionResponse().get().parts().get().get(0).inlineData().get().data().get());
		assertArrayEquals(BYTES, event.groundingMetadata().get().searchEntryPoint().get().sdkBlob().get());
		assertEquals(2500, event.actions().compaction().get().endTimestamp());
		Part summary = event.actions().compaction().get().compactedContent().parts().get().get(0);
		assertArrayEquals(BYTES, summary.thoughtSignature().get());
		assertEquals("2.5s", written(event).at("/content/parts/1/videoMetadata/endOffset").asText());
		ObjectNode unpadded = json(EVENT.replace("-_-_\"", "+w\"").replace("\"2.5s\"", "2.5"));
		assertEquals(List.of(), unreadable(read(unpadded)));
		assertEquals(written(read(json(EVENT))), written(read(written(event))));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			/content/parts/4/functionResponse/response | "text"
			/content/parts/3/functionCall/args         | ["x"]
			/content/parts/0/thoughtSignature          | "no Base64!"
			/content/parts/1/inlineData/data           | {"type": "Buffer", "data": [1]}
			/content/parts/4/functionResponse/parts/0/inlineData/data | "data:image/png;base64,AQI="
			/content/parts/1/videoMetadata/endOffset   | "soon"
			/content/parts/5                           | "text"
			/content/parts/5                           | null
			/usageMetadata/promptTokenCount            | 1.5
			/customMetadata                            | "text"
			/customMetadata/0                          | "text"
			/actions/compaction                        | {"startTimestamp": 1}
			/actions/compaction/endTimestamp           | "soon"
			/actions/artifactDelta/f                   | null
			/actions/requestedAuthConfigs/c            | 7
			/longRunningToolIds                        | {"k": 1}
			""")
	void leavesOutOnlyWhatIsWrong(String place, String value) {
		String path = path(place);
		ObjectNode wrong = changed(place, value).put("id", place + value);
		for (int reading = 0; reading < 2; reading++) {
			Event event = read(wrong.deepCopy());
			assertEquals(path, unreadable(event).get(0));
			assertEquals("Hello", event.content().get().parts().get().get(0).text().get());
			assertEquals(Map.of("k", 1), event.actions().stateDelta());
			assertEquals("STOP", event.finishReason().get().toString());
		}
		assertEquals(1, this.logged.size());
		assertTrue(this.logged.get(0).startsWith("Session s: ADK cannot hold these parts of the event " + place + value
				+ ", which are left out: " + path), this.logged.get(0));
	}

	@Test
	void countsTheItemsOfAnArrayAsTheyAreStored() {
		ObjectNode wrong = changed("/content/parts/1", "7");
		((ArrayNode) wrong.at("/content/parts")).set(3, "text").set(4, json("{\"functionResponse\": []}"));
		assertEquals(List.of("content.parts.1", "content.parts.3", "content.parts.4.functionResponse"),
				unreadable(read(wrong)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"functionResponse": {"name": "f", "response": "text"}} | .functionResponse.response
			{"text": "t", "thoughtSignature": "no Base64!"}         | .thoughtSignature
			"text"                                                  | ``
			null                                                    | ``
			""")
	@Timeout(300)
	void readsAnEventWithThousandsOfWrongValuesInSeconds(String wrong, String path) {
		String parts = "{\"text\": \"Hello\"}" + (", " + wrong).repeat(4000);
		Event event = read(json("{\"id\": \"e\", \"content\": {\"parts\": [" + parts + "]}}"));
		assertEquals(IntStream.rangeClosed(1, 4000).mapToObj((index) -> "content.parts." + index + path).toList(),
				unreadable(event));
		assertEquals(path.isEmpty() ? 1 : 4001, event.content().get().parts().get().size());
	}

	@Test
	void readsCustomMetadataOfOtherLanguagesAndWritesItForThem() {
		String metadata = """
				{"text": "v", "texts": ["a", "b"], "none": [], "number": 0.1, "whole": 7, "null": null, "": ""}""";
		Event event = read(changed("/customMetadata", metadata));
		assertEquals(List.of(), unreadable(event));
		List<CustomMetadata> entries = event.customMetadata().get();
		assertEquals(CustomMetadata.builder().key("text").stringValue("v").build(), entries.get(0));
		StringList texts = StringList.builder().values("a", "b").build();
		assertEquals(CustomMetadata.builder().key("texts").stringListValue(texts).build(), entries.get(1));
		assertEquals(CustomMetadata.builder().key("number").numericValue(0.1f).build(), entries.get(3));
		assertEquals(CustomMetadata.builder().key("null").build(), entries.get(5));
		assertEquals(json(metadata.replace("7", "7.0")), written(event).get("customMetadata"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "{\"a\":[1]}", "[\"a\",1]", "16777217", "1e300" })
	void readsMetadataWithoutATypeInJavaAsItsJson(String value) {
		Event event = read(changed("/customMetadata", "{\"k\": " + value + "}"));
		assertEquals(List.of(), unreadable(event));
		String text = event.customMetadata().get().get(0).stringValue().get();
		assertEquals(json(value, JsonNode.class), json(text, JsonNode.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[{\"stringValue\":\"v\"}]", "[{\"key\":\"k\",\"stringValue\":\"v\",\"numericValue\":1.5}]",
			"[{\"key\":\"k\",\"stringValue\":\"v\"},{\"key\":\"k\"}]" })
	void writesEntriesThatNoObjectCanHaveAsTheyAre(String entries) {
		Event event = read(changed("/customMetadata", entries));
		assertEquals(json(entries, JsonNode.class), written(event).get("customMetadata"));
	}

	@Test
	void listsAPendingCallWhoseArgumentsAreNoObject() {
		PendingCall call = PendingCall.of(json("""
				{"eventId": "e", "seq": 1, "since": 1.5, "functionCall": {"id": "c", "name": "f", "args": "text"}}"""));
		assertEquals(FunctionCall.builder().id("c").name("f").build(), call.functionCall());
	}

	@Test
	void readsAnEventWithAnyWrongValue() {
		int marked = 0;
		for (String place : places(json(EVENT), JsonPointer.empty())) {
			for (String value : List.of("\"no Base64 or number!\"", "7", "1.5", "true", "[\"x\"]", "{}", "null", "[null, null]")) {
				Event event = read(changed(place, value));
				List<String> paths = unreadable(event);
				marked += paths.isEmpty() ? 0 : 1;
				for (String path : paths) {
					assertTrue((path + ".").startsWith(path(place) + ".") || path(place).startsWith(path + "."), place + value + paths);
				}
				assertTrue(place.startsWith("/content") || event.content().get().parts().get().size() == 7, place + value);
				written(event);
			}
		}
		assertTrue(marked > 300, marked + " events");
	}

	/** Jackson refuses longer texts by default. The Vertex AI dialect stores them. */
	@Test
	void readsDataOfMoreThanTwentyMillionCharacters() {
		int length = 21_000_000;
		String text = EVENT.replace("\"data\": \"-_-_\"", "\"data\": \"" + "A".repeat(length) + "\"");
		Event event = read((ObjectNode) ServiceClient.parse(text));
		assertEquals(List.of(), unreadable(event));
		assertEquals(length / 4 * 3, event.content().get().parts().get().get(1).inlineData().get().data().get().length);
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_API_KEY", matches = ".+")
	void keepsTheSessionAndItsWatchAndStoresAReadableEventNext() throws Exception {
		AgentSessionService service = new AgentSessionService();
		Session session = Trip.create(service, Map.of());
		post("/apps/" + Trip.APP + "/users/mira/sessions/" + session.id() + "/events", """
				{"id": "e", "author": "agent", "invocationId": "i", "timestamp": 1.5, "customMetadata": {"k": "of Python"},
				"content": {"parts": [{"text": "Hello"}, {"functionResponse": {"name": "f", "response": "of Rust"}}]}}""");
		Event watched = service.watch(session.sessionKey(), 0).blockingFirst().event();
		Session read = Trip.read(service, session);
		Event listed = service.listEvents(Trip.APP, "mira", session.id()).blockingGet().events().get(0);
		for (Event event : List.of(watched, read.events().get(0), listed)) {
			assertEquals(List.of("content.parts.1.functionResponse.response"), unreadable(event));
			assertEquals("of Python", event.customMetadata().get().get(0).stringValue().get());
			assertEquals("f", event.content().get().parts().get().get(1).functionResponse().get().name().get());
		}
		assertEquals(1, this.logged.size());
		Trip.append(service, read, Trip.turn("t1", Map.of("k", 1)));
		assertEquals(2, Trip.read(service, session).events().size());
	}

	private static Event read(ObjectNode json) {
		return WireFormat.readEvent(json, "s");
	}

	private static ObjectNode written(Event event) {
		return json(WireFormat.write(event));
	}

	private static List<String> unreadable(Event event) {
		return event.customMetadata()
			.orElse(List.of())
			.stream()
			.filter((metadata) -> metadata.key().equals(Optional.of(EventReader.UNREADABLE)))
			.flatMap((metadata) -> metadata.stringListValue().get().values().get().stream())
			.toList();
	}

	private static ObjectNode changed(String place, String value) {
		ObjectNode event = json(EVENT);
		JsonPointer pointer = JsonPointer.compile(place);
		JsonNode parent = event.at(pointer.head());
		if (parent instanceof ArrayNode items) {
			items.set(pointer.last().getMatchingIndex(), json(value, JsonNode.class));
		}
		else {
			((ObjectNode) parent).set(pointer.last().getMatchingProperty(), json(value, JsonNode.class));
		}
		return event;
	}

	private static List<String> places(JsonNode value, JsonPointer place) {
		List<String> places = new ArrayList<>(place.matches() || KEPT.contains(place.toString()) ? List.of()
				: List.of(place.toString()));
		value.fieldNames().forEachRemaining((name) -> places.addAll(places(value.get(name), place.appendProperty(name))));
		for (int index = 0; value.isArray() && index < value.size(); index++) {
			places.addAll(places(value.get(index), place.appendIndex(index)));
		}
		return places;
	}

	private static String path(String place) {
		return place.substring(1).replace('/', '.');
	}

	private static ObjectNode json(String text) {
		return json(text, ObjectNode.class);
	}

	private static <T extends JsonNode> T json(String text, Class<T> type) {
		try {
			return type.cast(JsonBaseModel.getMapper().readTree(text));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void post(String path, String body) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("AGENT_SESSIONS_URL") + path))
			.POST(BodyPublishers.ofString(body))
			.header("Content-Type", "application/json")
			.header("Authorization", "Bearer " + System.getenv("AGENT_SESSIONS_API_KEY"))
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
		assertEquals(200, response.statusCode(), response.body());
	}

}
