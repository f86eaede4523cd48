package dev.agentsessions.adk.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Lists what waits for a human, over HTTP. */
@HttpTest
class PendingTests {

	private final Api api;

	PendingTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void ask() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.create("{'sessionId': 's2'}").ok();
		this.api
			.append("s1",
					"""
							{'id': 'e1', 'author': 'agent', 'invocationId': 'i1', 'longRunningToolIds': ['c1', 'c2'], 'content': {'role': 'model',
							 'parts': [{'functionCall': {'id': 'c1', 'name': 'refund', 'args': {'amount': 30}}},
							  {'functionCall': {'id': 'c2', 'name': 'adk_request_confirmation', 'args': {}}}]}}""")
			.ok();
	}

	@Test
	void listsTheCallsOfASession() {
		JsonNode pending = pending("s1", "").ok().at("/pending");
		assertThat(pending.size()).isEqualTo(2);
		JsonNode first = pending.get(0);
		assertThat(first.propertyNames()).containsExactly("appName", "userId", "sessionId", "eventId", "seq", "since",
				"functionCall");
		assertThat(first.at("/functionCall").toString())
			.isEqualTo("{\"id\":\"c1\",\"name\":\"refund\",\"args\":{\"amount\":30}}");
		assertThat(first.at("/since").decimalValue())
			.isEqualByComparingTo(this.api.get("s1").at("/lastUpdateTime").decimalValue());
		assertThat(pending("s2", "").ok().body()).isEqualTo("{\"pending\":[]}");
	}

	@Test
	void forgetsWhatIsAnswered() {
		this.api.append("s1", """
				{'author': 'user', 'content': {'role': 'user', 'parts': [
				 {'functionResponse': {'id': 'c1', 'name': 'refund', 'response': {'ok': true}}}]}}""").ok();
		assertThat(pending("s1", "").text("/pending/0/functionCall/id")).isEqualTo("c2");
		this.api.append("s1", "{'author': 'user', 'actions': {'rewindBeforeInvocationId': 'i1'}}").ok();
		assertThat(pending("s1", "").at("/pending").isEmpty()).isTrue();
	}

	@Test
	void listsSessionsThatWait() {
		assertThat(this.api.list("waiting=true").json().findValuesAsString("id")).containsExactly("s1");
		assertThat(this.api.list("waiting=false").json().findValuesAsString("id")).hasSize(2);
		this.api.list("waiting=maybe").problem(400, "INVALID_ARGUMENT");
		String all = this.api.appPath() + "/sessions?waiting=true";
		assertThat(this.api.http().get(all).json().findValuesAsString("id")).containsExactly("s1");
	}

	@Test
	void listsTheCallsOfAnAppPageByPage() {
		String path = this.api.appPath() + "/pending?limit=1";
		Answer first = this.api.http().get(path).ok();
		assertThat(first.text("/pending/0/functionCall/id")).isEqualTo("c1");
		Answer second = this.api.http().get(path + "&pageToken=" + first.text("/nextPageToken")).ok();
		assertThat(second.text("/pending/0/functionCall/id")).isEqualTo("c2");
		assertThat(second.json().propertyNames()).containsExactly("pending");
		pending("s1", "limit=1&pageToken=" + first.text("/nextPageToken")).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void knowsNothingOfSessionsThatAreNotThere() {
		pending("nobody", "").problem(404, "SESSION_NOT_FOUND");
		assertThat(this.api.http().get("/apps/nobody/pending").ok().body()).isEqualTo("{\"pending\":[]}");
		this.api.delete("s1");
		assertThat(this.api.http().get(this.api.appPath() + "/pending").ok().at("/pending").isEmpty()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=0", "limit=ten", "pageToken=2", "Limit=3" })
	void refusesParametersThatAreNone(String query) {
		pending("s1", query).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.appPath() + "/pending?" + query).problem(400, "INVALID_ARGUMENT");
	}

	private Answer pending(String sessionId, String query) {
		return this.api.http().get(this.api.sessionPath(sessionId) + "/pending?" + query);
	}

}
