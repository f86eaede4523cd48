package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Appends events over HTTP and reads them one by one. */
@HttpTest
class EventControllerTests {

	private final Api api;

	EventControllerTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'gone': 1}}").ok();
	}

	@Test
	void storesAnEventAndItsDelta() {
		Answer appended = this.api.append("s1", """
				{'id': 'e1', 'invocationId': 'i1', 'author': 'agent', 'timestamp': 1700000000.25,
				 'content': {'role': 'model', 'parts': [{'text': 'hi'}]},
				 'actions': {'stateDelta':
				  {'k': {'a': 1}, 'gone': null, 'user:u': 2, 'app:a': 3, 'temp:t': 4}}}""").ok();

		assertThat(appended.json().propertyNames()).containsExactly("event", "revision", "lastUpdateTime");
		assertThat(appended.at("/event")).isEqualTo(Json.node("""
				{'id': 'e1', 'invocationId': 'i1', 'author': 'agent', 'timestamp': 1700000000.25,
				 'content': {'role': 'model', 'parts': [{'text': 'hi'}]},
				 'actions': {'stateDelta': {'k': {'a': 1}, 'gone': null, 'user:u': 2, 'app:a': 3}}}"""));
		assertThat(appended.at("/revision").intValue()).isEqualTo(1);
		assertThat(appended.revision()).isEqualTo(1);
		assertThat(appended.header("Idempotent-Replayed")).isEmpty();
		Answer session = this.api.get("s1");
		assertThat(session.at("/state")).isEqualTo(Json.node("{'k': {'a': 1}, 'gone': null, 'user:u': 2, 'app:a': 3}"));
		assertThat(session.at("/lastUpdateTime")).isEqualTo(appended.at("/lastUpdateTime"));
		assertThat(session.at("/events/0")).isEqualTo(appended.at("/event"));
		assertThat(this.api.event("s1", "e1").ok().json()).isEqualTo(appended.at("/event"));
	}

	@Test
	void fillsInWhatTheEventLacks() {
		Answer appended = this.api.append("s1", "{}").ok();

		assertThat(UUID.fromString(appended.text("/event/id"))).hasToString(appended.text("/event/id"));
		assertThat(appended.text("/event/author")).isEmpty();
		assertThat(appended.text("/event/invocationId")).isEmpty();
		assertThat(appended.at("/event/timestamp").isNumber()).isTrue();
	}

	@Test
	void answersKnownNamesInCamelCase() {
		Answer appended = this.api.append("s1", """
				{'id': 'e1', 'invocation_id': 'i1', 'author': 'agent', 'timestamp': 1, 'error_code': 'E',
				 'custom_metadata': {'my_key': 1}, 'content': {'parts': [{'function_call': {'args': {'a_b': 1}}}]},
				 'actions': {'state_delta': {'my_key': 1}, 'skip_summarization': true, 'unknown_name': 1}}""").ok();

		assertThat(appended.at("/event")).isEqualTo(Json.node("""
				{'id': 'e1', 'invocationId': 'i1', 'author': 'agent', 'timestamp': 1, 'errorCode': 'E',
				 'customMetadata': {'my_key': 1}, 'content': {'parts': [{'function_call': {'args': {'a_b': 1}}}]},
				 'actions': {'stateDelta': {'my_key': 1}, 'skipSummarization': true, 'unknown_name': 1}}"""));
		assertThat(this.api.get("s1").at("/state/my_key").intValue()).isEqualTo(1);
	}

	@Test
	void replaysAnEventBeforeItLooksAtThePrecondition() {
		String event = "{'id': 'e1', 'author': 'user', 'actions': {'stateDelta': {'k': 2}}}";
		Answer first = this.api.append("s1", event, "If-Match", "\"0\"").ok();
		this.api.append("s1", "{'id': 'e2', 'author': 'user', 'actions': {'stateDelta': {'k': 3}}}").ok();

		Answer replayed = this.api.append("s1", event, "If-Match", "\"0\"").ok();

		assertThat(replayed.header("Idempotent-Replayed")).hasValue("true");
		assertThat(replayed.body()).isEqualTo(first.body());
		assertThat(replayed.revision()).isEqualTo(1);
		assertThat(this.api.get("s1").at("/state/k").intValue()).isEqualTo(3);
		assertThat(this.api.get("s1").revision()).isEqualTo(2);
		this.api.appendAfter("s1", "1700000000", event).ok();
	}

	@Test
	void refusesOtherContentUnderTheSameId() {
		this.api.append("s1", "{'id': 'e1', 'author': 'user'}").ok();

		Answer conflict = this.api.append("s1", "{'id': 'e1', 'author': 'agent', 'actions': {'stateDelta': {'k': 2}}}",
				"If-Match", "\"1\"");

		assertThat(conflict.problem(409, "EVENT_ID_CONFLICT").detail()).contains("'e1'");
		assertThat(this.api.get("s1").at("/state/k").intValue()).isEqualTo(1);
		assertThat(this.api.event("s1", "e1").text("/author")).isEqualTo("user");
	}

	@Test
	void answersAPartialEventAndForgetsIt() {
		String event = "{'id': 'e1', 'author': 'agent', 'partial': true, 'actions': {'stateDelta': {'k': 2, 'temp:t': 1}}}";

		Answer answer = this.api.append("s1", event, "If-Match", "\"7\"").ok();

		assertThat(answer.at("/event")).isEqualTo(Json.node(event));
		assertThat(answer.at("/persisted").booleanValue()).isFalse();
		assertThat(answer.at("/revision").intValue()).isZero();
		assertThat(answer.revision()).isEqualTo(0);
		Answer session = this.api.get("s1");
		assertThat(session.at("/events").isEmpty()).isTrue();
		assertThat(session.at("/state/k").intValue()).isEqualTo(1);
		assertThat(session.at("/lastUpdateTime")).isEqualTo(answer.at("/lastUpdateTime"));
		this.api.append("missing", event).problem(404, "SESSION_NOT_FOUND");
	}

	@Test
	void neverCreatesASession() {
		this.api.append("missing", "{'author': 'user', 'actions': {'stateDelta': {'app:k': 1}}}")
			.problem(404, "SESSION_NOT_FOUND");

		this.api.get("missing").problem(404, "SESSION_NOT_FOUND");
		assertThat(this.api.get("s1").json().at("/state").has("app:k")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "missing", "e 1", "ü%2b" })
	void doesNotFindAMissingEvent(String id) {
		assertThat(this.api.http().get(this.api.eventsPath("s1") + "/" + Api.encode(id)).status()).isIn(400, 404);
	}

	@Test
	void findsAnEventByAnyIdItCanHave() {
		String id = "é 1+2&x=y?#@:'\"<>|{}[]^`\uD83D\uDE00.json";
		this.api.http().post(this.api.eventsPath("s1"), Json.object("id", id)).ok();

		assertThat(this.api.event("s1", id).ok().text("/id")).isEqualTo(id);
	}

}
