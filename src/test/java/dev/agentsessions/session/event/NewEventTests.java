package dev.agentsessions.session.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.state.StateDelta;

/** What becomes of an event before it is stored. */
class NewEventTests {

	/** The beginning of an event that lacks nothing. */
	private static final String NO_ACTIONS = "\"actions\":{\"stateDelta\":{},\"artifactDelta\":{},"
			+ "\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}}";

	private static final String COMPLETE = "{\"id\":\"e1\",\"invocationId\":\"i1\",\"author\":\"a\",\"timestamp\":1";

	@Test
	void keepsWhatLacksNothing() {
		String json = COMPLETE + ",\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"actions\":{\"stateDelta\":{\"a\":1}}}";
		NewEvent event = Events.event(json);
		assertThat(event.body().text()).isEqualTo(json);
		assertThat(event.id()).isEqualTo("e1");
		assertThat(event.invocationId()).isEqualTo("i1");
		assertThat(event.author()).isEqualTo("a");
		assertThat(event.time()).isEqualTo(Instant.ofEpochSecond(1));
		assertThat(event.timed()).isTrue();
		assertThat(event.partial()).isFalse();
		assertThat(event.delta()).isEqualTo(new StateDelta(Sessions.state("{\"a\":1}")));
	}

	@ParameterizedTest
	@CsvSource({ "long_running_tool_ids, longRunningToolIds", "turn_complete, turnComplete", "error_code, errorCode",
			"error_message, errorMessage", "custom_metadata, customMetadata", "grounding_metadata, groundingMetadata",
			"usage_metadata, usageMetadata", "finish_reason, finishReason", "input_transcription, inputTranscription",
			"longRunningToolIds, longRunningToolIds", "unknown_name, unknown_name", "state_delta, state_delta",
			"Error_Code, Error_Code", "branch, branch" })
	void answersKnownNamesOfEventsInCamelCase(String sent, String answered) {
		assertThat(Events.event(COMPLETE + ",\"%s\":null}".formatted(sent)).body().text())
			.isEqualTo(COMPLETE + ",\"%s\":null,%s}".formatted(answered, NO_ACTIONS));
	}

	@ParameterizedTest
	@CsvSource({ "artifact_delta, artifactDelta, {}", "transfer_to_agent, transferToAgent, \"b\"",
			"skip_summarization, skipSummarization, true", "requested_auth_configs, requestedAuthConfigs, {}",
			"requested_tool_confirmations, requestedToolConfirmations, {}", "end_of_agent, endOfAgent, null",
			"escalate, escalate, false", "unknown_name, unknown_name, {\"unknown_name\":[1]}",
			"error_code, error_code, 5", "invocation_id, invocation_id, {}" })
	void answersKnownNamesOfActionsInCamelCase(String sent, String answered, String value) {
		assertThat(Events.event(COMPLETE + ",\"actions\":{\"%s\":%s}}".formatted(sent, value)).body().text())
			.isEqualTo(COMPLETE + ",\"actions\":{\"%s\":%s}}".formatted(answered, value));
	}

	@Test
	void leavesAloneWhatBelongsToTheSender() {
		String rest = """
				,"content":{"parts":[{"function_call":{"args":{"error_code":1,"state_delta":2}}}]},"customMetadata":\
				{"invocation_id":1,"b":{"turn_complete":2}},"x_y":{"error_message":1},"actions":{"stateDelta":\
				{"error_code":{"state_delta":1},"user_id":2},"artifactDelta":{"state_delta":1}}}""";
		assertThat(Events.event(COMPLETE + rest).body().text()).isEqualTo(COMPLETE + rest);
	}

	@Test
	void acceptsEveryFieldItReadsInSnakeCase() {
		NewEvent event = Events.event("{\"invocation_id\":\"i1\",\"actions\":{\"state_delta\":{\"a_b\":1}}}");
		assertThat(event.invocationId()).isEqualTo("i1");
		assertThat(event.delta().changes()).isEqualTo(Sessions.state("{\"a_b\":1}"));
		assertThat(event.body().text())
			.startsWith("{\"invocationId\":\"i1\",\"actions\":{\"stateDelta\":{\"a_b\":1}},");
	}

	@Test
	void leavesOutTemporaryState() {
		NewEvent event = Events
			.event(COMPLETE + ",\"actions\":{\"x\":1,\"stateDelta\":{\"temp:a\":1,\"b\":2,\"temp:c\":3}}}");
		assertThat(event.delta().changes()).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(event.body().text()).isEqualTo(COMPLETE + ",\"actions\":{\"x\":1,\"stateDelta\":{\"b\":2}}}");
		assertThat(Events.event(COMPLETE + ",\"actions\":{\"stateDelta\":{\"temp:a\":1}}}").body().text())
			.isEqualTo(COMPLETE + ",\"actions\":{\"stateDelta\":{}}}");
	}

	@Test
	void keepsNullsOfTheDelta() {
		NewEvent event = Events.event(COMPLETE + ",\"actions\":{\"stateDelta\":{\"a\":null,\"b\":{\"c\":null}}}}");
		assertThat(event.body().text()).endsWith("{\"a\":null,\"b\":{\"c\":null}}}}");
		assertThat(event.delta().changes()).isEqualTo(Sessions.state("{\"a\":null,\"b\":{\"c\":null}}"));
	}

	@Test
	void addsActionsWhereThereAreNone() {
		assertThat(Events.event(COMPLETE + "}").body().text()).isEqualTo(COMPLETE + "," + NO_ACTIONS + "}");
		assertThat(Events.event(COMPLETE + ",\"actions\":{}}").body().text()).isEqualTo(COMPLETE + ",\"actions\":{}}");
		assertThat(Events.event(COMPLETE + ",\"actions\":null}").delta()).isEqualTo(StateDelta.EMPTY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"id\":null,\"invocationId\":null,\"author\":null,\"timestamp\":null}",
			"{\"id\":\"\",\"invocationId\":\"\",\"author\":\"\"}", "{\"id\":\" \"}" })
	void fillsInWhatIsMissing(String json) {
		NewEvent event = Events.event(json);
		assertThat(event.id()).hasSize(36).isNotEqualTo(Events.event(json).id());
		assertThat(event.invocationId()).isEmpty();
		assertThat(event.author()).isEmpty();
		assertThat(event.timed()).isFalse();
		assertThat(event.time()).isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
		assertThat(Sessions.state(event.body().text()))
			.isEqualTo(Sessions.state("{\"id\":\"%s\",\"invocationId\":\"\",\"author\":\"\",\"timestamp\":%s,%s}"
				.formatted(event.id(), Timestamps.toSeconds(event.time()), NO_ACTIONS)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			1750000000.123456                     | 1750000000.123456
			1750000000.50                         | 1750000000.50
			1.75e9                                | 1.75e9
			0                                     | 0
			-1.5                                  | -1.5
			1750000000123                         | 1750000000.123
			1.75E12                               | 1750000000
			"2025-06-15T15:06:40.123456789Z"      | 1750000000.123456789
			"2025-06-15T17:06:40+02:00"           | 1750000000
			"1750000000.5"                        | 1750000000.5
			""")
	void answersTimestampsInSeconds(String sent, String answered) {
		assertThat(Events.event("{\"timestamp\":" + sent + ",\"x\":1}").body().text())
			.startsWith("{\"timestamp\":" + answered + ",\"x\":1,");
	}

	@Test
	void answersPartialEventsAsTheyCame() {
		String json = "{\"partial\":true,\"invocation_id\":\"i1\",\"actions\":{\"state_delta\":{\"temp:a\":1}}}";
		NewEvent event = Events.event(json);
		assertThat(event.partial()).isTrue();
		assertThat(event.body().text()).isEqualTo(json);
		assertThat(Events.event("{\"partial\":false}").partial()).isFalse();
		assertThat(Events.event("{\"partial\":null}").partial()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"id":1}                                             | id
			{"id":{}}                                            | id
			{"author":["a"]}                                     | author
			{"author":true}                                      | author
			{"invocation_id":5}                                  | invocationId
			{"partial":"true"}                                   | partial
			{"partial":1}                                        | partial
			{"actions":[]}                                       | actions
			{"actions":"none"}                                   | actions
			{"actions":{"stateDelta":[]}}                        | actions.stateDelta
			{"actions":{"state_delta":1}}                        | actions.stateDelta
			{"actions":{"stateDelta":{"a":1,"a":2}}}             | actions.stateDelta.a
			{"actions":{"stateDelta":{},"state_delta":{}}}       | actions.stateDelta
			{"invocationId":"a","invocation_id":"a"}             | invocationId
			""")
	void namesTheFieldOfAWrongType(String json, String field) {
		assertThatExceptionOfType(JsonException.InvalidShape.class).isThrownBy(() -> Events.event(json))
			.withMessageStartingWith(field + " ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"id":"a/b"}                                         | id
			{"id":"\\u0000"}                                     | id
			{"author":"a\\u0000"}                                | author
			{"author":"\\ud800"}                                 | author
			{"invocationId":"\\udc00"}                           | invocationId
			{"timestamp":"yesterday"}                            | timestamp
			{"timestamp":true}                                   | timestamp
			{"timestamp":{}}                                     | timestamp
			{"timestamp":1e400}                                  | timestamp
			{"actions":{"stateDelta":{"a\\u0000":1}}}            | actions.stateDelta
			{"actions":{"stateDelta":{"user:\\ud800":1}}}        | actions.stateDelta
			""")
	void namesTheFieldOfAWrongValue(String json, String field) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> Events.event(json))
			.withMessageStartingWith(field + " ");
	}

	@Test
	void makesAnEventOfAChangeOfState() {
		NewEvent event = NewEvent.ofStateDelta(JsonObject.parse("{\"a\":1,\"temp:b\":2}"));
		assertThat(event.author()).isEqualTo("user");
		assertThat(event.invocationId()).startsWith("p-");
		assertThat(event.delta().changes()).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(event.body().text()).contains("\"actions\":{\"stateDelta\":{\"a\":1}}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"\",\"timestamp\":1}",
			"{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"\",\"timestamp\":1,\"actions\":null}" })
	void isTheSameAsOneThatWasStoredWithoutActions(String stored) {
		NewEvent event = Events.event("{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1}");
		Event known = new Event(1, Instant.EPOCH, "e1", new JsonText(stored));
		event.checkIsSameAs(known);
		NewEvent other = Events
			.event("{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1,\"actions\":{\"escalate\":true}}");
		assertThatExceptionOfType(SessionException.EventIdConflict.class).isThrownBy(() -> other.checkIsSameAs(known));
	}

	@Test
	void isTheSameAsOneThatTheServerGaveATime() {
		String sent = "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"n\":%s}}";
		Event stored = new Event(1, Instant.EPOCH, "e1", Events.event(sent.formatted("1")).body());
		Events.event(sent.formatted("1")).checkIsSameAs(stored);
		Events.event(sent.formatted("1.0")).checkIsSameAs(stored);
		NewEvent other = Events.event(sent.formatted("2"));
		assertThatExceptionOfType(SessionException.EventIdConflict.class).isThrownBy(() -> other.checkIsSameAs(stored));
		NewEvent timed = Events.event("{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"n\":1},\"timestamp\":1}");
		assertThatExceptionOfType(SessionException.EventIdConflict.class).isThrownBy(() -> timed.checkIsSameAs(stored));
	}

}
