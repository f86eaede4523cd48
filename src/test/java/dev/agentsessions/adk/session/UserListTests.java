package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Lists the users of an app over HTTP. */
@HttpTest
class UserListTests {

	private final Api api;

	UserListTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void answersAnEmptyArrayWhereNobodyIs() {
		assertThat(users("").ok().body()).isEqualTo("{\"users\":[]}");
	}

	@Test
	void tellsHowManySessionsAUserHasAndWhenTheNewestWasUpdated() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.create("{'sessionId': 's2'}").ok();
		this.api.create("{'sessionId': 'ADK_EVAL_1'}").ok();
		this.api.append("s1", "{'author': 'user'}").ok();

		JsonNode user = users("").ok().at("/users/0");

		assertThat(user.propertyNames()).containsExactly("userId", "sessions", "moreSessions", "lastUpdateTime");
		assertThat(user.at("/userId").stringValue()).isEqualTo("alice");
		assertThat(user.at("/sessions").intValue()).isEqualTo(3);
		assertThat(user.at("/moreSessions").booleanValue()).isFalse();
		assertThat(user.at("/lastUpdateTime").decimalValue())
			.isEqualByComparingTo(this.api.get("s1").at("/lastUpdateTime").decimalValue());
	}

	@Test
	void userWithoutSessionIsNotListed() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();
		this.api.as("carol").create("{'sessionId': 's1', 'expireTime': 4102444800}").ok();
		this.api.delete("s1");
		this.api.http().send("DELETE", this.api.as("bob").userPath(), BodyPublishers.noBody()).ok();

		assertThat(ids(users("").ok())).containsExactly("carol");
	}

	@Test
	void userListContinuesAtPageToken() {
		List<String> names = List.of("users/1", "\\;%", "\u202Ebob", "a b&c=d#e", "\uD83D\uDE00", "x".repeat(512));
		names.forEach((name) -> this.api.as(name).create("{'sessionId': 's1'}").ok());

		List<String> found = new ArrayList<>();
		Answer page = users("limit=1").ok();
		while (page.json().has("nextPageToken")) {
			found.addAll(ids(page));
			page = users("limit=1&page_token=" + page.text("/nextPageToken")).ok();
		}
		found.addAll(ids(page));

		assertThat(found).containsExactlyInAnyOrderElementsOf(names);
		String token = users("limit=2").text("/nextPageToken");
		assertThat(ids(users("limit=3&pageToken=" + token))).isEqualTo(ids(users("")).subList(2, 5));
	}

	@Test
	void refusesATokenOfAnotherList() {
		for (String user : List.of("alice", "bob")) {
			this.api.as(user).create("{'sessionId': 's1'}").ok();
			this.api.as(user).create("{'sessionId': 's2'}").ok();
		}
		Api other = new Api(this.api.http());
		String users = users("limit=1").text("/nextPageToken");
		String sessions = this.api.http()
			.get(this.api.appPath() + "/sessions?limit=1")
			.header("X-Next-Page-Token")
			.orElseThrow();

		users("pageToken=" + sessions).problem(400, "INVALID_ARGUMENT");
		for (String path : List.of(other.appPath() + "/users", this.api.appPath() + "/sessions",
				this.api.appPath() + "/pending", this.api.sessionsPath())) {
			this.api.http().get(path + "?pageToken=" + users).problem(400, "INVALID_ARGUMENT");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=0", "limit=-1", "limit=x", "limit=9999999999", "pageToken=", "pageToken=AAAA",
			"order=desc", "Limit=1", "includeState=false" })
	void refusesWhatIsNoParameterOfIt(String query) {
		users(query).problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "%2F", "a%3Bb", "%00", "%20", "." })
	void refusesWhatIsNoApp(String app) {
		assertThat(this.api.http().get("/apps/" + app + "/users").status()).isIn(400, 404);
	}

	private Answer users(String query) {
		return this.api.http().get(this.api.appPath() + "/users" + (query.isEmpty() ? "" : "?" + query));
	}

	private static List<String> ids(Answer page) {
		return page.at("/users").findValuesAsString("userId");
	}

}
