package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Changes sessions over HTTP. */
@HttpTest
class UpdateSessionRequestTests {

	private static final String REMOVED = "__ADK_SENTINEL_REMOVED__";

	private final Api api;

	UpdateSessionRequestTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'j': 1}, 'displayName': 'Trip', 'labels': {'a': 'b'}}")
			.ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "stateDelta", "state_delta" })
	void appendsAnEventOfTheUser(String field) {
		Answer updated = this.api
			.update("s1", "{'%s': {'k': 2, 'j': null, 'user:n': 'Ana', 'temp:t': 1}}".formatted(field))
			.ok();

		assertThat(updated.at("/state")).isEqualTo(Json.node("{'k': 2, 'j': null, 'user:n': 'Ana'}"));
		assertThat(updated.text("/events/0/author")).isEqualTo("user");
		assertThat(updated.text("/events/0/invocationId")).matches("p-[0-9a-f-]{36}");
		assertThat(updated.at("/events/0/actions/stateDelta"))
			.isEqualTo(Json.node("{'k': 2, 'j': null, 'user:n': 'Ana'}"));
		assertThat(updated.revision()).isEqualTo(1);
		assertThat(this.api.get("s1").body()).isEqualTo(updated.body());
	}

	@Test
	void appendsAnEventForAnEmptyDelta() {
		assertThat(this.api.update("s1", "{'stateDelta': {}}").ok().revision()).isEqualTo(1);
	}

	@Test
	void changesDisplayNameAndLabelsWithoutAnEvent() {
		Answer updated = this.api.update("s1", "{'displayName': 'Journey', 'labels': {'c': 'd'}}").ok();

		assertThat(updated.text("/displayName")).isEqualTo("Journey");
		assertThat(updated.at("/labels")).isEqualTo(Json.node("{'c': 'd'}"));
		assertThat(updated.at("/events").isEmpty()).isTrue();
		assertThat(updated.revision()).isEqualTo(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'displayName': null, 'labels': null}", "{'display_name': '', 'labels': {}}" })
	void removesDisplayNameAndLabels(String body) {
		Answer updated = this.api.update("s1", body).ok();

		assertThat(updated.json().has("displayName")).isFalse();
		assertThat(updated.at("/labels").isEmpty()).isTrue();
	}

	@Test
	void changesStateAndDisplayNameTogether() {
		Answer updated = this.api.update("s1", "{'stateDelta': {'k': 2}, 'displayName': 'Journey'}").ok();

		assertThat(updated.at("/state/k").intValue()).isEqualTo(2);
		assertThat(updated.text("/displayName")).isEqualTo("Journey");
		assertThat(updated.at("/labels")).isEqualTo(Json.node("{'a': 'b'}"));
		assertThat(updated.revision()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'stateDelta': {'k': 2}, 'displayName': 'Journey'}", "{'displayName': 'Journey'}" })
	void keepsToThePrecondition(String body) {
		Answer stale = this.api.update("s1", body, "If-Match", "\"7\"").problem(412, "STALE_SESSION");

		assertThat(stale.text("/missedEvents")).isEqualTo(this.api.eventsPath("s1") + "?afterSeq=0");
		assertThat(this.api.get("s1").at("/state/k").intValue()).isEqualTo(1);
		assertThat(this.api.get("s1").text("/displayName")).isEqualTo("Trip");
		this.api.update("s1", body, "If-Match", "\"0\"").ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "removeKeys", "remove_keys" })
	void removesKeys(String field) {
		this.api.update("s1", "{'stateDelta': {'a': null, 'user:b': 1, 'app:c': 1, 'd': 1}}").ok();

		Answer changed = this.api.update("s1",
				"{'%s': ['a', 'user:b', 'app:c', 'gone', 'a'], 'stateDelta': {'e': null}}".formatted(field));

		JsonNode state = changed.ok().at("/state");
		assertThat(state.propertyNames()).contains("d", "e").doesNotContain("a", "user:b", "app:c", "gone");
		assertThat(state.get("e").isNull()).isTrue();
		assertThat(changed.at("/events/1/actions/stateDelta")).isEqualTo(Json
			.node("{'e': null, 'a': '%1$s', 'user:b': '%1$s', 'app:c': '%1$s', 'gone': '%1$s'}".formatted(REMOVED)));
	}

	@Test
	void refusesToSetAndRemoveOneKey() {
		Answer answer = this.api.update("s1", "{'stateDelta': {'a': 1}, 'removeKeys': ['b', 'a']}")
			.problem(422, "VALIDATION_FAILED");

		assertThat(answer.detail()).isEqualTo("removeKeys must not name \"a\", which stateDelta sets");
		assertThat(this.api.get("s1").at("/events")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'removeKeys': 'a'}", "{'removeKeys': {'a': 1}}", "{'removeKeys': [1]}",
			"{'removeKeys': [null], 'stateDelta': {}}" })
	void refusesKeysThatAreNoStrings(String body) {
		assertThat(this.api.update("s1", body).problem(422, "VALIDATION_FAILED").detail()).startsWith("removeKeys ");
	}

	@Test
	void keepsToTheLastUpdateTime() {
		String path = this.api.sessionPath("s1") + "?lastUpdateTime=";
		String time = this.api.get("s1").at("/lastUpdateTime").asString();

		this.api.http().patch(path + "1700000000.5", Json.of("{'stateDelta': {'k': 2}}")).problem(409, "STALE_SESSION");
		this.api.http().patch(path + time, Json.of("{'stateDelta': {'k': 2}}")).ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'stateDelta': null}", "{'foo': 1}" })
	void asksForTheDelta(String body) {
		Answer answer = this.api.update("s1", body).problem(422, "VALIDATION_FAILED");

		assertThat(answer.at("/errors/0")).isEqualTo(Json.node(
				"{'loc': ['body', 'stateDelta'], 'msg': 'is required and must be a JSON object', 'type': 'missing'}"));
	}

	@Test
	void changesTheEndOfASession() {
		Answer changed = this.api.update("s1", "{'expireTime': '2999-01-01T00:00:00Z'}").ok();
		assertThat(changed.header("X-Expire-Time")).hasValue("2999-01-01T00:00:00Z");
		assertThat(this.api.update("s1", "{'ttl': '60s', 'stateDelta': {'k': 2}}").ok().header("X-Expire-Time"))
			.isPresent();
		assertThat(this.api.update("s1", "{'expireTime': null}").ok().header("X-Expire-Time")).isEmpty();
		this.api.update("s1", "{'expireTime': '2001-01-01T00:00:00Z'}").problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void neverCreatesASession() {
		this.api.update("missing", "{'stateDelta': {'app:k': 1}}").problem(404, "SESSION_NOT_FOUND");
		this.api.update("missing", "{'displayName': 'x'}").problem(404, "SESSION_NOT_FOUND");

		assertThat(this.api.list("").json().size()).isEqualTo(1);
		assertThat(this.api.get("s1").json().at("/state").has("app:k")).isFalse();
	}

}
