package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Creates sessions over HTTP. */
@HttpTest
class CreateSessionRequestTests {

	private final Api api;

	CreateSessionRequestTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void answersTheWholeSession() {
		Answer created = this.api.create("{'sessionId': 's1', 'state': {'lang': 'de'}}").ok();

		assertThat(created.json().propertyNames()).containsExactly("id", "appName", "userId", "state", "events",
				"lastUpdateTime");
		assertThat(created.text("/id")).isEqualTo("s1");
		assertThat(created.text("/appName")).isEqualTo(this.api.app());
		assertThat(created.text("/userId")).isEqualTo("alice");
		assertThat(created.at("/state")).isEqualTo(Json.node("{'lang': 'de'}"));
		assertThat(created.at("/events").isEmpty()).isTrue();
		assertThat(created.body()).containsPattern("\"lastUpdateTime\":\\d{10}(\\.\\d{1,6})?}");
		assertThat(created.revision()).isEqualTo(0);
		assertThat(this.api.get("s1").body()).isEqualTo(created.body());
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "null", "{}", "{'sessionId': null, 'state': null, 'events': null}", "{'sessionId': '  '}" })
	void makesUpTheIdIfNoneIsGiven(String body) {
		String id = this.api.create(body).ok().text("/id");

		assertThat(UUID.fromString(id)).hasToString(id);
		assertThat(this.api.get(id).ok().at("/state").isEmpty()).isTrue();
	}

	@Test
	void needsNoContentTypeWithoutBody() {
		Answer created = this.api.http().send("POST", this.api.sessionsPath(), BodyPublishers.noBody());

		assertThat(this.api.get(created.ok().text("/id")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sessionId", "session_id" })
	void removesSpaceAroundTheId(String field) {
		assertThat(this.api.create("{'%s': '  s1\\t'}".formatted(field)).ok().text("/id")).isEqualTo("s1");
		assertThat(this.api.get("  s1 ").ok().text("/id")).isEqualTo("s1");
	}

	@Test
	void neverOverwritesASession() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 'first'}}").ok();

		Answer second = this.api.create("{'sessionId': ' s1 ', 'state': {'k': 'second', 'app:k': 1}}");

		second.problem(409, "ALREADY_EXISTS");
		assertThat(second.detail()).isEqualTo("Session already exists: s1");
		this.api.create("s1", "{'state': {'k': 'third'}}").problem(409, "ALREADY_EXISTS");
		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.node("{'k': 'first'}"));
	}

	@Test
	void keepsUsersApart() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 'of alice'}}").ok();
		this.api.as("bob").create("{'sessionId': 's1', 'state': {'k': 'of bob'}}").ok();

		assertThat(this.api.get("s1").text("/state/k")).isEqualTo("of alice");
		assertThat(this.api.as("bob").get("s1").text("/state/k")).isEqualTo("of bob");
	}

	@Test
	void storesTheFirstEventsWithTheSession() {
		Answer created = this.api.create("""
				{'sessionId': 's1', 'state': {'k': 1, 'j': 1},
				 'events': [
				  {'id': 'e1', 'author': 'user', 'content': {'parts': [{'text': 'hi'}]}},
				  {'id': 'e2', 'author': 'agent', 'actions': {'stateDelta': {'k': 2, 'j': null, 'temp:t': 1}}}]}""")
			.ok();

		assertThat(created.at("/events").findValuesAsString("id")).containsExactly("e1", "e2");
		assertThat(created.at("/state")).isEqualTo(Json.node("{'k': 2, 'j': null}"));
		assertThat(created.revision()).isEqualTo(2);
		assertThat(this.api.get("s1").body()).isEqualTo(created.body());
	}

	@Test
	void storesNothingIfOneOfTheFirstEventsIsRefused() {
		this.api.create("""
				{'sessionId': 's1', 'state': {'app:k': 1},
				 'events': [{'author': 'user'}, {'author': 7}]}""").problem(422, "VALIDATION_FAILED");
		this.api.create("""
				{'sessionId': 's1', 'state': {'app:k': 1},
				 'events': [{'id': 'e1', 'author': 'user'}, {'id': 'e1', 'author': 'agent'}]}""")
			.problem(409, "EVENT_ID_CONFLICT");

		this.api.get("s1").problem(404, "SESSION_NOT_FOUND");
		assertThat(this.api.http().get(this.api.appPath() + "/state").body()).isEqualTo("{}");
	}

	@Test
	void keepsDisplayNameAndLabels() {
		this.api.create("{'sessionId': 's1', 'displayName': 'Trip', 'labels': {'tier': 'gold'}}").ok();

		Answer session = this.api.get("s1").ok();
		assertThat(session.text("/displayName")).isEqualTo("Trip");
		assertThat(session.at("/labels")).isEqualTo(Json.node("{'tier': 'gold'}"));
	}

	@ParameterizedTest
	@CsvSource({ "expireTime, '\"2999-01-01T00:00:00Z\"'", "expire_time, '\"2999-01-01T00:00:00Z\"'",
			"expireTime, 32472144000" })
	void keepsASessionUntilItsEnd(String field, String value) {
		Answer answer = this.api.create("{'sessionId': 's1', '%s': %s}".formatted(field, value)).ok();

		assertThat(answer.header("X-Expire-Time")).hasValue("2999-01-01T00:00:00Z");
		assertThat(this.api.get("s1").ok().header("X-Expire-Time")).hasValue("2999-01-01T00:00:00Z");
		assertThat(answer.json().has("expireTime")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "'86400s'", "'86400.0s'", "86400" })
	void endsASessionSoManySecondsFromNow(String ttl) {
		Answer answer = this.api.create("{'sessionId': 's1', 'ttl': %s}".formatted(ttl)).ok();

		Instant end = Instant.parse(answer.header("X-Expire-Time").orElseThrow());
		assertThat(end).isBetween(Instant.now().plusSeconds(86_000), Instant.now().plusSeconds(86_400));
		assertThat(this.api.create("{'sessionId': 's2'}").ok().header("X-Expire-Time")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "'ttl': '0s'", "'ttl': '-1s'", "'ttl': 'soon'", "'expireTime': 1000",
			"'ttl': '9s', 'expireTime': '2999-01-01T00:00:00Z'" })
	void refusesAnEndThatHasPassedOrIsNone(String end) {
		this.api.create("{'sessionId': 's1', " + end + "}").problem(400, "INVALID_ARGUMENT");
		this.api.create("s1", "{'state': {}, " + end + "}").problem(400, "INVALID_ARGUMENT");
		this.api.get("s1").problem(404, "SESSION_NOT_FOUND");
	}

	/** ADK's server passes them to its session service. */
	@ParameterizedTest
	@ValueSource(strings = { "{'options': {'ttl': '86400s', 'display_name': 'Trip', 'labels': {'tier': 'gold'}}}",
			"{'ttl': null, 'displayName': null, 'labels': {'tier': 'gold'}, 'options': {'ttl': '86400s', 'displayName': 'Trip'}}",
			"{'ttl': '86400s', 'display_name': 'Trip', 'options': {'ttl': null, 'displayName': 'Trip', 'labels': {'tier':'gold'}}}" })
	void takesOptionsAsFields(String body) {
		Answer answer = this.api.create(body).ok();
		assertThat(Instant.parse(answer.header("X-Expire-Time").orElseThrow())).isAfter(Instant.now());
		assertThat(answer.text("/displayName")).isEqualTo("Trip");
		assertThat(answer.at("/labels")).isEqualTo(Json.node("{'tier': 'gold'}"));
	}

	@Test
	void anOptionMayBeTheEndOfTheSession() {
		Answer answer = this.api
			.create("s1", "{'state': {'options': 1}, 'options': {'expire_time': '2999-01-01T00:00:00Z'}}")
			.ok();
		assertThat(answer.header("X-Expire-Time")).hasValue("2999-01-01T00:00:00Z");
		assertThat(answer.at("/state")).isEqualTo(Json.node("{'options': 1}"));
		assertThat(this.api.create("{'options': null}").ok().header("X-Expire-Time")).isEmpty();
		assertThat(this.api.create("{'options': {}}").ok().header("X-Expire-Time")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"{'ttl': '9s', 'options': {'ttl': '8s'}}                  | options.ttl must not contradict ttl",
			"{'labels': {}, 'options': {'labels': {'a': 'b'}}}        | options.labels must not contradict labels",
			"{'options': {'ttl': '9s', 'tll': '9s'}}                  | options.tll is no field here; the body may have displayName, expireTime, labels, ttl",
			"{'options': {'DisplayName': 'x'}}                        | options.DisplayName is no field here; did you mean displayName?",
			"{'options': {'state': {}}}                               | options.state is no field here; the body may have displayName, expireTime, labels, ttl",
			"{'options': 'ttl'}                                       | options must be a JSON object" })
	void refusesOptionsThatContradictAFieldOrAreUnknown(String body, String detail) {
		assertThat(this.api.create(body).problem(422, "VALIDATION_FAILED").detail()).isEqualTo(detail);
		assertThat(this.api.list("").json().isEmpty()).isTrue();
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			// wrapped: nothing but the known fields, and the state is an object
			"{}                                           | {}",
			"{'state': {'a': 1}}                          | {'a': 1}",
			"{'state': null}                              | {}",
			"{'state': {'a': 1}, 'sessionId': 's1'}       | {'a': 1}",
			"{'state': {'a': 1}, 'displayName': 'x'}      | {'a': 1}",
			"{'events': []}                               | {}",
			// raw: the state itself
			"{'lang': 'de'}                               | {'lang': 'de'}",
			"{'state': 'idle'}                            | {'state': 'idle'}",
			"{'state': [1]}                               | {'state': [1]}",
			"{'state': {'a': 1}, 'lang': 'de'}            | {'state': {'a': 1}, 'lang': 'de'}",
			"{'displayName': 'x'}                         | {'displayName': 'x'}",
			"{'user:name': 'Ana', 'temp:x': 1}            | {'user:name': 'Ana'}" })
	void tellsTheStateItselfFromABodyThatNamesIt(String body, String state) {
		this.api.create("s1", body).ok();

		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.node(state));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "raw     | {'state': {'a': 1}} | {'state': {'a': 1}}",
			"wrapped | {'state': {'a': 1}} | {'a': 1}", "wrapped | {'lang': 'de'} | {}" })
	void letsTheCallerSayWhichOfTheTwoTheBodyIs(String style, String body, String state) {
		this.api.http().post(this.api.sessionPath("s1") + "?bodyStyle=" + style, Json.of(body)).ok();

		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.node(state));
	}

	@Test
	void acceptsOnlyTheIdOfThePathInTheBody() {
		Answer other = this.api.create("s1", "{'sessionId': 's2', 'state': {}}").problem(400, "INVALID_ARGUMENT");

		assertThat(other.detail()).isEqualTo("sessionId must be the one in the path");
		assertThat(this.api.list("").json().isEmpty()).isTrue();
		this.api.create("s1", "{'session_id': ' s1', 'state': {}}").ok();
	}

}
