package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Names of fields and of query parameters in other letters, or in the wrong place. */
@HttpTest
class SpellingTests {

	private final Api api;

	SpellingTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.append("s1", "{'id': 'e1', 'author': 'a', 'timestamp': 1000}").ok();
		this.api.append("s1", "{'id': 'e2', 'author': 'b', 'timestamp': 2000}").ok();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{'sessionid': 'x', 'State': {'k': 1}} | sessionid | sessionId",
					"{'SESSION_ID': 'x'} | SESSION_ID | sessionId", "{'session-id': 'x'} | session-id | sessionId",
					"{'State': {'k': 1}} | State | state", "{'DisplayName': 'x'} | DisplayName | displayName",
					"{'expiretime': '2999-01-01T00:00:00Z'} | expiretime | expireTime", "{'TTL': '5s'} | TTL | ttl",
					"{'Events': []} | Events | events", "{'stateDelta': {'k': 1}} | stateDelta | state",
					"{'state_delta': {'k': 1}} | state_delta | state", "{'id': 'x'} | id | sessionId",
					"{'events': [{'Author': 'a'}]} | events[0].Author | author",
					"{'events': [{'actions': {'StateDelta': {}}}]} | events[0].actions.StateDelta | stateDelta" })
	void refusesASlipInANewSession(String body, String field, String meant) {
		Answer refused = this.api.create(body).problem(422, "VALIDATION_FAILED");

		assertThat(refused.detail()).isEqualTo(field + " is no field here; did you mean " + meant + "?");
		assertThat(this.api.list("").json()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'sessionid': 's2'}", "{'State': {'k': 1}}", "{'state': {'k': 1}, 'displayname': 'x'}",
			"{'sessionId': 's2', 'EVENTS': []}" })
	void asksWhatABodyIsThatMayBeTheStateItself(String body) {
		assertThat(this.api.create("s2", body).problem(422, "VALIDATION_FAILED").detail())
			.endsWith("? If the body is the state itself, say bodyStyle=raw.");
		this.api.http().post(this.api.sessionPath("s2") + "?bodyStyle=raw", Json.of(body)).ok();
		assertThat(this.api.get("s2").at("/state")).isEqualTo(Json.node(body));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'State': 'CA'}", "{'sessionid': 'x', 'topic': 1}", "{'TTL': 5}" })
	void takesAStateForAState(String state) {
		assertThat(this.api.create("s2", state).ok().at("/state")).isEqualTo(Json.node(state));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{'statedelta': {'k': 1}, 'displayName': 'x'} | statedelta | stateDelta",
					"{'RemoveKeys': ['k']} | RemoveKeys | removeKeys", "{'state': {'k': 1}} | state | stateDelta",
					"{'displayname': 'x'} | displayname | displayName" })
	void refusesASlipInAChange(String body, String field, String meant) {
		assertThat(this.api.update("s1", body).problem(422, "VALIDATION_FAILED").detail())
			.isEqualTo(field + " is no field here; did you mean " + meant + "?");
		assertThat(this.api.get("s1").etag()).startsWith("\"2");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"{'author': 'u', 'stateDelta': {'k': 1}} | stateDelta is no field here; did you mean actions.stateDelta?",
			"{'state_delta': {'k': 1}} | state_delta is no field here; did you mean actions.stateDelta?",
			"{'state': {'k': 1}} | state is no field here; did you mean actions.stateDelta?",
			"{'InvocationID': 'i'} | InvocationID is no field here; did you mean invocationId?",
			"{'Actions': {}} | Actions is no field here; did you mean actions?",
			"{'actions': {'statedelta': {}}} | actions.statedelta is no field here; did you mean stateDelta?",
			"{'actions': {'state': {}}} | actions.state is no field here; did you mean stateDelta?",
			"{'event': {'author': 'u'}} | event is no field of an event; the body is the event itself",
			"{'lastUpdateTime': 5} | lastUpdateTime is no field here, but a parameter of the query" })
	void refusesASlipInAnEvent(String event, String message) {
		assertThat(this.api.append("s1", event).problem(422, "VALIDATION_FAILED").detail()).isEqualTo(message);
		assertThat(this.api.get("s1").at("/events")).hasSize(2);
	}

	@Test
	void unknownFieldsAndParametersAreAccepted() {
		Answer event = this.api.append("s1", "{'author': 'u', 'sessionId': 'x', 'Branch': 'b', 'agentState': {}, "
				+ "'actions': {'own': 1, 'artifactdelta': {}}}");

		assertThat(event.ok().at("/event/Branch").stringValue()).isEqualTo("b");
		assertThat(event.at("/event/actions")).isEqualTo(Json.node("{'own': 1, 'artifactdelta': {}}"));
		this.api.create("{'sessionId': 's2', 'appName': 'a', 'userId': 'u', 'lastUpdateTime': 5, 'foo': 1}").ok();
		this.api.get("s1", "foo=1&detailed=true&page=2").ok();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "numrecentevents=0 | numrecentevents | did you mean numRecentEvents?",
			"NumRecentEvents=0 | NumRecentEvents | did you mean numRecentEvents?",
			"limit=5 | limit | it has afterTimestamp, atSeq, fromSeq, includeRevision, numRecentEvents, parts, seqs, view",
			"page_token=x | pageToken | it has afterTimestamp, atSeq, fromSeq, includeRevision, numRecentEvents, parts, seqs, view" })
	void refusesASlipInAParameter(String query, String name, String hint) {
		assertThat(this.api.get("s1", query).problem(400, "INVALID_ARGUMENT").detail())
			.isEqualTo(name + " is no parameter of this request; " + hint);
	}

	@Test
	void refusesAParameterOfAnotherRequest() {
		String body = Json.of("{'state': {'k': 1}}");
		assertThat(this.api.http()
			.post(this.api.sessionsPath() + "?sessionId=s2", body)
			.problem(400, "INVALID_ARGUMENT")
			.detail()).isEqualTo("sessionId is no parameter of this request; sessionId is a field of the body");
		this.api.events("s1", "numRecentEvents=1").problem(400, "INVALID_ARGUMENT");
		this.api.list("LIMIT=1").problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.appPath() + "/state?limit=1").problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void understandsParametersInSnakeCase() {
		assertThat(this.api.get("s1", "num_recent_events=1").ok().at("/events")).hasSize(1);
		assertThat(this.api.get("s1", "after_timestamp=2000").ok().at("/events")).hasSize(1);
		assertThat(this.api.events("s1", "after_seq=1&foo=a_b").ok().at("/events")).hasSize(1);
		assertThat(this.api.list("include_state=false&display_name=x").ok().json()).isEmpty();
		this.api.http()
			.post(this.api.eventsPath("s1") + "?last_update_time=5", Json.of("{'author': 'a'}"))
			.problem(409, "STALE_SESSION");
		this.api.create("{'sessionId': 's2'}").ok();
		Answer page = this.api.list("limit=1");
		String token = page.ok().header("X-Next-Page-Token").orElseThrow();
		Answer next = this.api.list("limit=1&page_token=" + Api.encode(token));
		assertThat(next.ok().json()).hasSize(1);
		assertThat(next.json()).isNotEqualTo(page.json());
	}

}
