package dev.agentsessions.vertex.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.support.Json;

/** What stands where on the wire of this dialect and in ADK's own JSON, both ways. */
class EventMappingTests {

	private static final String WIRE = "{'name': 'n', 'author': 'agent', 'invocationId': 'i1', "
			+ "'timestamp': '2026-01-01T00:00:00.123456789Z', 'actions': {}, 'eventMetadata': {}}";

	private static final String STORED = "{'id': 'e1', 'author': 'agent', 'invocationId': 'i1', "
			+ "'timestamp': 1767225600.123456789, 'actions': {}}";

	private static final String NO_ACTIONS = "'actions': {'stateDelta': {}, 'artifactDelta': {}, "
			+ "'requestedAuthConfigs': {}, 'requestedToolConfirmations': {}}";

	/** Fields of the wire, and the same fields as they are stored. */
	static Stream<Arguments> bothWays() {
		return Stream.of(arguments("{}", "{}"),
				arguments("{'content': {'role': 'user', 'parts': [{'text': 'hi'}]}}",
						"{'content': {'role': 'user', 'parts': [{'text': 'hi'}]}}"),
				arguments("{'errorCode': 'STOP', 'errorMessage': 'm'}", "{'errorCode': 'STOP', 'errorMessage': 'm'}"),
				arguments("{'actions': {'transferAgent': 'b', 'escalate': true}}",
						"{'actions': {'transferToAgent': 'b', 'escalate': true}}"),
				arguments("{'actions': {'stateDelta': {'a_b': null, 'c': {'d_e': null}}, 'skipSummarization': true}}",
						"{'actions': {'stateDelta': {'a_b': null, 'c': {'d_e': null}}, 'skipSummarization': true}}"),
				arguments("{'actions': {'artifactDelta': {'a_b.txt': 3}}}",
						"{'actions': {'artifactDelta': {'a_b.txt': 3}}}"),
				arguments("{'actions': {'requestedAuthConfigs': {'call_1': {'a_b': 1}}, 'endOfAgent': true}}",
						"{'actions': {'requestedAuthConfigs': {'call_1': {'a_b': 1}}, 'endOfAgent': true}}"),
				arguments("{'actions': {'requestedToolConfirmations': {'call_1': {'hint': '', 'payload': null}}}}",
						"{'actions': {'requestedToolConfirmations': {'call_1': {'hint': '', 'payload': null}}}}"),
				arguments("{'eventMetadata': {'turnComplete': true, 'interrupted': false, 'branch': 'a.b'}}",
						"{'turnComplete': true, 'interrupted': false, 'branch': 'a.b'}"),
				arguments(
						"{'eventMetadata': {'longRunningToolIds': ['x', 'y'], 'groundingMetadata': {'webSearchQueries': ['q']}}}",
						"{'longRunningToolIds': ['x', 'y'], 'groundingMetadata': {'webSearchQueries': ['q']}}"),
				arguments("{'eventMetadata': {'customMetadata': {'a_b': {'c_d': null}}}}",
						"{'customMetadata': {'a_b': {'c_d': null}}}"),
				arguments(
						"{'eventMetadata': {'inputTranscription': {'text': 't', 'finished': true}, 'outputTranscription': {'text': 'u'}}}",
						"{'inputTranscription': {'text': 't', 'finished': true}, 'outputTranscription': {'text': 'u'}}"),
				arguments(
						"{'eventMetadata': {'usageMetadata': {'promptTokenCount': 5}, 'customMetadata': {'_usage_metadata': {'promptTokenCount': 5}}}}",
						"{'usageMetadata': {'promptTokenCount': 5}}"),
				arguments(
						"{'eventMetadata': {'customMetadata': {'k': 1, '_compaction': {'startTimestamp': 1.5, 'endTimestamp': 2, 'compactedContent': {}}}}, 'actions': {'compaction': {'startTimestamp': 1.5, 'endTimestamp': 2, 'compactedContent': {}}}}",
						"{'customMetadata': {'k': 1}, 'actions': {'compaction': {'startTimestamp': 1.5, 'endTimestamp': 2, 'compactedContent': {}}}}"),
				arguments("{'eventMetadata': {'somethingNew': {'a_b': 1}}}", "{'somethingNew': {'a_b': 1}}"),
				arguments("{'rawEvent': {'id': 'e1', 'timestamp': 1, 'a_b': 1.50}}",
						"{'rawEvent': {'id': 'e1', 'timestamp': 1, 'a_b': 1.50}}"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("bothWays")
	void translatesBothWays(String wire, String stored) {
		JsonObject sent = merged(WIRE, wire);
		JsonObject kept = merged(STORED, stored);

		assertThat(Json.read(store(sent.without(Set.of("name"))).body().text()))
			.isEqualTo(Json.read(kept.toJson().text()));
		assertThat(Json.read(answer(kept))).isEqualTo(Json.read(sent.toJson().text()));
	}

	/** Fields as some client sends them, and as they are stored. */
	static Stream<Arguments> oneWay() {
		return Stream.of(arguments(
				"{'content': {'role': 'user', 'parts': [{'inline_data': {'mime_type': 'a/b', 'data': 'AQID__4-Pw=='}}]}}",
				"{'content': {'role': 'user', 'parts': [{'inlineData': {'mimeType': 'a/b', 'data': 'AQID//4+Pw=='}}]}}"),
				arguments("{'content': {'parts': [{'thought_signature': '_-8', 'text': 'x', 'thought': null}]}}",
						"{'content': {'parts': [{'thoughtSignature': '/+8=', 'text': 'x'}]}}"),
				arguments(
						"{'content': {'parts': [{'function_call': {'name': 'f_g', 'args': {'a_b': null}, 'id': null}}]}}",
						"{'content': {'parts': [{'functionCall': {'name': 'f_g', 'args': {'a_b': null}}}]}}"),
				arguments("{'content': {'parts': [{'function_response': {'id': '1', 'response': {'a_b': 1}}}]}}",
						"{'content': {'parts': [{'functionResponse': {'id': '1', 'response': {'a_b': 1}}}]}}"),
				arguments("{'event_metadata': {'long_running_tool_ids': ['x'], 'turn_complete': true, 'branch': null}}",
						"{'longRunningToolIds': ['x'], 'turnComplete': true}"),
				arguments(
						"{'eventMetadata': {'grounding_metadata': {'grounding_chunks': [{'web': {'page_uri': 'u'}}]}}}",
						"{'groundingMetadata': {'groundingChunks': [{'web': {'pageUri': 'u'}}]}}"),
				arguments("{'eventMetadata': {'custom_metadata': {'_usage_metadata': {'prompt_token_count': 5}}}}",
						"{'usageMetadata': {'promptTokenCount': 5}}"),
				arguments(
						"{'actions': {'transfer_to_agent': 'b', 'requested_auth_configs': {'c': {'x': null, 'y': 1}}}}",
						"{'actions': {'transferToAgent': 'b', 'requestedAuthConfigs': {'c': {'y': 1}}}}"),
				arguments("{'actions': {'artifact_delta': {'a': '1', 'b': 2.0, 'c': {'text': 'x'}, 'd': 3e1}}}",
						"{'actions': {'artifactDelta': {'a': 1, 'b': 2, 'd': 30}}}"),
				arguments("{'errorCode': 500, 'errorMessage': null}", "{'errorCode': '500'}"),
				arguments("{'timestamp': {'seconds': 1767225600, 'nanos': 123456789}}", "{}"),
				arguments("{'timestamp': {'seconds': '1767225600', 'nanos': 123456789}}", "{}"),
				arguments("{'timestamp': {'seconds': -5}}", "{'timestamp': -5}"),
				arguments(
						"{'rawEvent': {'id': 'e1', 'finishReason': 'STOP', 'content': {}, 'x_y': 1, 'actions': {'agentState': {}, 'escalate': true}}}",
						"{'finishReason': 'STOP', 'actions': {'agentState': {}}, 'rawEvent': {'id': 'e1', 'finishReason': 'STOP', 'content': {}, 'x_y': 1, 'actions': {'agentState': {}, 'escalate': true}}}"),
				arguments("{'rawEvent': {'id': 'e1', 'actions': {'stateDelta': {'temp:a': 1, 'b': 1.0}}}}",
						"{'rawEvent': {'id': 'e1', 'actions': {'stateDelta': {'b': 1.0}}}}"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("oneWay")
	void understandsWhatAnyClientSends(String wire, String stored) {
		JsonObject base = JsonObject.parse(Json.of(WIRE)).without(Set.of("actions", "eventMetadata"));
		String body = store(merged(base, wire)).body().text();

		assertThat(Json.read(body))
			.isEqualTo(Json.read(merged(STORED.replace("'actions': {}", NO_ACTIONS), stored).toJson().text()));
	}

	@Test
	void givesARawEventBackAsItWasSent() {
		String raw = "{ \"b\" : 1.50, \"a\":\"\\u00e9\", \"timestamp\":1.7e9}";
		JsonObject sent = JsonObject
			.parse(Json.of(WIRE).replaceFirst("\\{", "{\"rawEvent\":" + raw.replace("\\", "\\\\") + ","));

		assertThat(answer(JsonObject.parse(store(sent).body().text()))).contains("\"rawEvent\":" + raw);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'author': 5}", "{'content': 'hello'}", "{'content': {'role': {}}}",
			"{'content': {'parts': {}}}", "{'content': {'parts': [{'text': 5}]}}",
			"{'content': {'parts': [{'thought': 'yes'}]}}",
			"{'content': {'parts': [{'inlineData': {'mimeType': [], 'data': ''}}]}}",
			"{'content': {'parts': [{'functionCall': {'name': {}}}]}}",
			"{'content': {'parts': [{'functionCall': {'args': []}}]}}",
			"{'content': {'parts': [{'functionResponse': {'scheduling': 1}}]}}", "{'actions': []}",
			"{'actions': {'escalate': {}}}", "{'actions': {'stateDelta': 'x'}}", "{'actions': {'transferAgent': {}}}",
			"{'errorCode': {}}", "{'errorMessage': []}", "{'eventMetadata': 'x'}", "{'eventMetadata': {'partial': 1}}",
			"{'eventMetadata': {'branch': {}}}", "{'eventMetadata': {'longRunningToolIds': [1]}}",
			"{'eventMetadata': {'longRunningToolIds': 'x'}}", "{'eventMetadata': {'customMetadata': []}}",
			"{'eventMetadata': {'groundingMetadata': 'x'}}", "{'rawEvent': 'x'}" })
	void refusesFieldsOfTheWrongType(String wrong) {
		JsonObject sent = merged(WIRE, wrong);

		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> EventMapping.toStored(sent));
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{'content': 'hello', 'customMetadata': [1], 'rawEvent': 5} | {}
					{'author': '', 'branch': 'b', 'turnComplete': 'yes'}       | {'author': '', 'eventMetadata': {'branch': 'b'}}
					{'actions': {'escalate': 1, 'stateDelta': {'a': 1}}}       | {'actions': {'stateDelta': {'a': 1}}}
					{'actions': {'skipSummarization': true, 'skip_summarization': 1}} | {'actions': {'skipSummarization': true}}
					{'content': {'role': 1, 'parts': [{'text': 'x', 'thought': 1}]}} | {'content': {'parts': [{'text': 'x'}]}}
					""")
	void leavesOutWhatAnotherDialectStoredWithAnotherType(String stored, String wire) {
		assertThat(Json.read(answer(merged(STORED, stored)))).isEqualTo(Json.read(merged(WIRE, wire).toJson().text()));
	}

	private static NewEvent store(JsonObject sent) {
		JsonObject stored = EventMapping.toStored(sent).toObject();
		return NewEvent.of(stored.get("id") != null ? stored : stored.with("id", JsonStrings.of("e1")));
	}

	private static String answer(JsonObject stored) {
		return EventMapping.fromStored(new Event(1, Instant.EPOCH, "e1", stored.toJson()), "n")
			.toObject()
			.toJson()
			.text();
	}

	private static JsonObject merged(String base, String more) {
		return merged(JsonObject.parse(Json.of(base)), more);
	}

	private static JsonObject merged(JsonObject base, String more) {
		JsonObject merged = base;
		for (var member : JsonObject.parse(Json.of(more)).members().entrySet()) {
			merged = merged.with(member.getKey(), member.getValue());
		}
		return merged;
	}

}
