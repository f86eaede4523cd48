package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The types of the known fields of an event, over HTTP. */
@HttpTest
class EventTypesTests {

	private final Api api;

	EventTypesTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{'content': 'hi'} | content must be a JSON object",
			"{'content': {'role': 1}} | content.role must be a string",
			"{'content': {'parts': {}}} | content.parts must be an array",
			"{'content': {'parts': ['hi']}} | content.parts[0] must be a JSON object",
			"{'content': {'parts': [{}, null]}} | content.parts[1] must be a JSON object",
			"{'content': {'parts': [{'text': 1}]}} | content.parts[0].text must be a string",
			"{'content': {'parts': [{'function_call': []}]}} | content.parts[0].functionCall must be a JSON object",
			"{'actions': []} | actions must be a JSON object",
			"{'actions': {'stateDelta': []}} | actions.stateDelta must be a JSON object",
			"{'actions': {'artifact_delta': {'a': '1'}}} | actions.artifactDelta.a must be a whole number",
			"{'actions': {'artifactDelta': {'a': 1.5}}} | actions.artifactDelta.a must be a whole number",
			"{'actions': {'artifactDelta': {'a': 1e99999999}}} | actions.artifactDelta.a must be a whole number",
			"{'actions': {'requestedAuthConfigs': {'c': 1}}} | actions.requestedAuthConfigs.c must be a JSON object",
			"{'actions': {'requestedToolConfirmations': []}} | actions.requestedToolConfirmations must be a JSON object",
			"{'actions': {'transferToAgent': 1}} | actions.transferToAgent must be a string",
			"{'actions': {'escalate': 'yes'}} | actions.escalate must be true or false",
			"{'actions': {'deletedArtifactIds': [1]}} | actions.deletedArtifactIds[0] must be a string",
			"{'longRunningToolIds': 'c'} | longRunningToolIds must be an array",
			"{'long_running_tool_ids': [1]} | longRunningToolIds[0] must be a string",
			"{'turnComplete': 1} | turnComplete must be true or false",
			"{'interrupted': 'no'} | interrupted must be true or false",
			"{'partial': 'no'} | partial must be true or false", "{'branch': {}} | branch must be a string",
			"{'errorCode': 500} | errorCode must be a string", "{'avgLogprobs': 'x'} | avgLogprobs must be a number",
			"{'usageMetadata': 5} | usageMetadata must be a JSON object",
			"{'groundingMetadata': []} | groundingMetadata must be a JSON object",
			"{'customMetadata': 'x'} | customMetadata must be a JSON object or an array",
			"{'nodeInfo': 'x'} | nodeInfo must be a JSON object", "{'id': 5} | id must be a string",
			"{'content': {'parts': [{'functionCall': {'id': 5}}]}} | content.parts[0].functionCall.id must be a string",
			"{'content': {'parts': [{'functionCall': {'args': []}}]}} | content.parts[0].functionCall.args must be a JSON object",
			"{'content': {'parts': [{'functionResponse': {'name': 5}}]}} | content.parts[0].functionResponse.name must be a string",
			"{'content': {'parts': [{'inlineData': {'data': 'data:image/png;base64,AAAA'}}]}} | content.parts[0].inlineData.data must be a string in Base64",
			"{'content': {'parts': [{'inlineData': {'data': {'type': 'Buffer', 'data': [1]}}}]}} | content.parts[0].inlineData.data must be a string in Base64",
			"{'content': {'parts': [{'functionResponse': {'parts': [{'inline_data': {'data': 'A'}}]}}]}} | content.parts[0].functionResponse.parts[0].inlineData.data must be a string in Base64",
			"{'content': {'parts': [{'thoughtSignature': 'AB\\u0020C'}]}} | content.parts[0].thoughtSignature must be a string in Base64",
			"{'groundingMetadata': {'groundingChunks': {}}} | groundingMetadata.groundingChunks must be an array",
			"{'usageMetadata': {'promptTokenCount': 1.5}} | usageMetadata.promptTokenCount must be a whole number",
			"{'actions': {'compaction': {'startTimestamp': 1, 'compactedContent': {}}}} | actions.compaction.endTimestamp is required",
			"{'actions': {'compaction': {'startTimestamp': 'yesterday'}}} | actions.compaction.startTimestamp must be a number of seconds or a time in RFC 3339" })
	void refusesTheWrongType(String event, String message) {
		Answer refused = this.api.append("s1", event).problem(422, "VALIDATION_FAILED");

		assertThat(refused.detail()).isEqualTo(message);
		assertThat(this.api.http()
			.post(this.api.eventsPath("s1") + ":batch", Json.of("{'events': [{'author': 'a'}, %s]}".formatted(event)))
			.problem(422, "VALIDATION_FAILED")
			.detail()).isEqualTo("events[1]." + message);
		assertThat(this.api.create("{'sessionId': 's2', 'events': [%s]}".formatted(event))
			.problem(422, "VALIDATION_FAILED")
			.detail()).isEqualTo("events[0]." + message);
		assertThat(this.api.get("s1").at("/events")).isEmpty();
		this.api.get("s2").problem(404, "SESSION_NOT_FOUND");
	}

	/** Python, TypeScript, Java, Go and Rust, as they write an event. */
	@ParameterizedTest
	@ValueSource(strings = {
			"{'invocationId': 'i', 'author': 'a', 'actions': {'stateDelta': {'k': null}, 'artifactDelta': {'f': 1}, "
					+ "'requestedAuthConfigs': {}, 'requestedToolConfirmations': {'c': {'hint': '', 'confirmed': false, "
					+ "'payload': null}}, 'compaction': {'startTimestamp': 1.5, 'endTimestamp': 2.5, 'compactedContent': "
					+ "{'parts': []}}, 'route': ['a', 1], 'renderUiWidgets': [{'id': 'w', 'provider': 'p'}], 'setModelResponse': 5}, "
					+ "'nodeInfo': {'path': ''}, 'longRunningToolIds': ['c'], 'avgLogprobs': -0.5, 'output': [1]}",
			"{'isCompacted': true, 'startTime': 1, 'endTime': 2, 'compactedContent': 'text', 'longRunningToolIds': [], "
					+ "'timestamp': 1767225600123, 'route': true, 'customMetadata': {'k': 1}, 'content': {'role': 'user'}}",
			"{'id': null, 'author': null, 'errorCode': 'MODEL_ERROR', 'customMetadata': [{'key': 'k', "
					+ "'stringValue': 'v'}], 'actions': {'deletedArtifactIds': ['f'], 'endOfAgent': true}}",
			"{'content': null, 'groundingMetadata': null, 'usageMetadata': null, 'longRunningToolIds': null, "
					+ "'actions': {'stateDelta': null, 'artifactDelta': null}, 'routes': ['a'], 'timestamp': "
					+ "'0001-01-01T00:00:00Z'}",
			"{'invocation_id': 'i', 'branch': '', 'timestamp': '2026-01-01T00:00:00.123456789Z', 'content': {'role': "
					+ "'model', 'parts': [{'text': 'x'}, {'name': 'f', 'args': {}, 'id': 'c'}, {'mime_type': 'a/b', 'data': "
					+ "[1, 2]}, {'function_response': {'name': 'f', 'response': 1}, 'id': 'c'}]}, 'llm_request': null, "
					+ "'actions': {'state_delta': {}, 'tool_confirmation': null, 'tool_confirmation_decision': 'Approve', "
					+ "'route': null, 'compaction': null}, 'error_code': null, 'partial': false, 'provider_metadata': {}}" })
	void acceptsWhatTheAdksWrite(String event) {
		this.api.append("s1", event).ok();
	}

	/** In either alphabet, with and without padding, with escapes. */
	@ParameterizedTest
	@ValueSource(strings = { "", "AA", "AA==", "+/+/", "-_-_", "AAA=", "AA\\u003d\\u003d", "\\/A==" })
	void acceptsBase64(String data) {
		this.api
			.append("s1", "{'content': {'parts': [{'inlineData': {'mimeType': 'a/b', 'data': '%s'}}]}}".formatted(data))
			.ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "10", "10.0", "1e1", "100E-1", "0.1e+2" })
	void storesAVersionInDigitsHoweverItIsWritten(String version) {
		Answer appended = this.api.append("s1",
				"{'id': 'e1', 'author': 'a', 'actions': {'artifactDelta': {'a.txt': " + version + ", 'b': -0}}}");
		assertThat(appended.ok().at("/event/actions/artifactDelta").toString()).isEqualTo("{\"a.txt\":10,\"b\":0}");
		assertThat(this.api
			.append("s1", "{'id': 'e1', 'author': 'a', 'actions': {'artifactDelta': {'a.txt': 10, 'b': 0}}}")
			.ok()
			.header("Idempotent-Replayed")).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "A", "==", "A==", "AAAA==", "AA=", "AA===", "Ab+_", "QR==", "QUF=", "AA AA", "AAAA\\n" })
	void refusesWhatIsAlmostBase64(String data) {
		this.api.append("s1", "{'content': {'parts': [{'inlineData': {'data': '%s'}}]}}".formatted(data))
			.problem(422, "VALIDATION_FAILED");
	}

	@Test
	void eventWithoutActionsGetsEmptyActions() {
		String empty = "{'stateDelta': {}, 'artifactDelta': {}, 'requestedAuthConfigs': {}, 'requestedToolConfirmations': {}}";

		assertThat(this.api.append("s1", "{'id': 'e1', 'author': 'a'}").ok().at("/event/actions"))
			.isEqualTo(Json.node(empty));
		assertThat(this.api.append("s1", "{'id': 'e1', 'author': 'a'}").ok().header("Idempotent-Replayed")).isPresent();
		assertThat(this.api.append("s1", "{'id': 'e1', 'author': 'a', 'actions': null}")
			.ok()
			.header("Idempotent-Replayed")).isPresent();
		this.api.append("s1", "{'id': 'e1', 'author': 'a', 'actions': {'escalate': true}}")
			.problem(409, "EVENT_ID_CONFLICT");
	}

	@Test
	void nullDeltasBecomeEmptyObjects() {
		Answer appended = this.api.append("s1",
				"{'author': 'a', 'actions': {'stateDelta': null, 'artifact_delta': null}}");

		assertThat(appended.ok().at("/event/actions")).isEqualTo(Json.node("{'stateDelta': {}, 'artifactDelta': {}}"));
	}

}
