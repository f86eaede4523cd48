package dev.agentsessions.vertex.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/** What is left of an event in the version that ADK Rust speaks. */
class V1ProjectionTests {

	static Stream<Arguments> events() {
		return Stream.of(
				arguments("{'name': 'n', 'author': '', 'invocationId': ' ', 'more': 1}",
						"{'name': 'n', 'author': 'user', 'invocationId': 'none', 'actions': {}, 'eventMetadata': {}}"),
				arguments(
						"{'actions': {'endOfAgent': true, 'escalate': true, 'artifactDelta': {'a': 1, 'b': 3000000000}}}",
						"{'actions': {'escalate': true, 'artifactDelta': {'a': 1}}, 'eventMetadata': {}}"),
				arguments("{'eventMetadata': {'usageMetadata': {}, 'branch': 'b'}}",
						"{'actions': {}, 'eventMetadata': {'branch': 'b'}}"),
				arguments(content("{'role': 'model', 'parts': []}"), "{'actions': {}, 'eventMetadata': {}}"),
				arguments(content("{'role': 'tool', 'more': 1, 'parts': [{'text': 'x', 'partMetadata': {}}]}"),
						strict("{'role': 'user', 'parts': [{'text': 'x'}]}")),
				arguments(content("{'parts': [{'thoughtSignature': 'YQ=='}]}"),
						strict("{'parts': [{'thoughtSignature': 'YQ==', 'text': ''}]}")),
				arguments(content("{'parts': [{'functionCall': {'id': 'c', 'name': 'f', 'args': null}, 'text': 'x'}]}"),
						strict("{'parts': [{'functionCall': {'name': 'f'}}, {'text': 'x'}]}")),
				arguments(content("{'parts': [{'functionResponse': {'id': 'c'}, 'videoMetadata': {}}]}"),
						strict("{'parts': [{'functionResponse': {'name': 'unknown', 'response': {}}}]}")),
				arguments(content("{'parts': [{'inlineData': {'data': 'YQ==', 'mimeType': ''}, 'videoMetadata': {}}]}"),
						strict("{'parts': [{'inlineData': {'data': 'YQ==', 'mimeType': 'application/octet-stream'}, 'videoMetadata': {}}]}")),
				arguments(content("{'parts': [{'fileData': {'fileUri': 'u'}}]}"),
						strict("{'parts': [{'fileData': {'fileUri': 'u', 'mimeType': 'application/octet-stream'}}]}")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("events")
	void keepsWhatTheVersionKnows(String event, String expected) {
		JsonObject strict = V1Projection.of(ParsedEvent.of(JsonObject.parse(Json.of(event)))).toObject();

		assertThat(Json.read(strict.toJson().text())).isEqualTo(Json.node(expected));
	}

	private static String content(String content) {
		return "{'content': " + content + "}";
	}

	private static String strict(String content) {
		return "{'content': " + content + ", 'actions': {}, 'eventMetadata': {}}";
	}

}
