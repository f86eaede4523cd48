package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Finds sessions by what happened in them, over HTTP. */
@HttpTest
class SessionFilterTests {

	private final Api api;

	SessionFilterTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void createSessions() {
		this.api.create("{'sessionId': 's1', 'displayName': 'Trip'}").ok();
		append("s1", "{'author': 'user', 'content': {'parts': [{'text': 'book'}]}}");
		append("s1", "{'author': 'planner', 'content': {'parts': [{'functionCall': {'name': 'book', 'args': {}}}]}}");
		append("s1",
				"{'author': 'planner', 'content': {'parts': [{'functionResponse': {'name': 'book', 'response': {'error': 'full'}}}]}}");
		append("s1", "{'author': 'planner', 'content': {'parts': [{'text': 'sorry'}]}}");
		this.api.create("{'sessionId': 's2', 'labels': {'tier': 'gold'}}").ok();
		append("s2", "{'author': 'writer', 'errorCode': 'SAFETY', 'errorMessage': 'no'}");
		append("s2",
				"{'author': 'writer', 'longRunningToolIds': ['c'], 'content': {'parts': [{'functionCall': {'id': 'c', 'name': 'ask'}}]}}");
		this.api.create("{'sessionId': 's3'}").ok();
	}

	/** Its user has stopped it. */
	@Test
	void anAbortedInvocationIsNoError() {
		append("s3", "{'author': 'writer', 'errorCode': 'INVOCATION_ABORTED', 'content': {'parts': "
				+ "[{'functionResponse': {'id': 'c', 'name': 'write', 'response': {'error': 'aborted'}}}]}}");
		assertThat(this.api.list("error=true&sessionId=s3").ok().json()).isEmpty();
		assertThat(this.api.list("tool=write").ok().json()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "error=true, s1:3 s2:1", "tool=book, s1:3", "tool=ask, s2:2", "tool=boo, ''", "author=planner, s1:4",
			"author=writer, s2:2", "error=true&author=writer, s2:1", "error=true&tool=book, s1:3",
			"error=true&tool=ask, ''", "from=2020-01-01T00:00:00Z, s1:4 s2:2", "until=2020-01-01T00:00:00Z, ''",
			"from=2020-01-01, s1:4 s2:2", "until=2020-01-01, ''", "from=4102444800, ''", "error=true&prefix=s2, s2:1",
			"error=true&label=tier=gold, s2:1", "error=true&waiting=true, s2:1", "error=true&displayName=Trip, s1:3",
			"error=true&sessionId=s2, s2:1", "error=true&order=desc, s2:1 s1:3", "error=false&from=0, s1:4 s2:2" })
	void findsSessionsAndTheEventThatMatched(String query, String found) {
		assertThat(matches(this.api.list(query + "&includeRevision=true").ok())).isEqualTo(found);
		assertThat(matches(appList("", query + "&includeRevision=true").ok())).isEqualTo(found);
	}

	@ParameterizedTest
	@CsvSource({ "prefix=s, s1 s2 s3", "prefix=Tr, s1", "prefix=ri, ''", "prefix=%25, ''", "prefix=, s1 s2 s3" })
	void findsTheBeginningOfAnIdOrName(String query, String ids) {
		assertThat(String.join(" ", this.api.list(query).ok().json().findValuesAsString("id"))).isEqualTo(ids);
	}

	/** ADK's own clients refuse fields that they do not know. */
	@Test
	void hasNoFieldThatAdkDoesNotKnow() {
		JsonNode plain = this.api.list("").ok().at("/0");
		assertThat(this.api.list("error=true").ok().at("/0").propertyNames()).isEqualTo(plain.propertyNames());
	}

	@ParameterizedTest
	@ValueSource(strings = { "error=true", "author=planner", "tool=book", "from=0" })
	void findsNothingOfAnotherUserOrApp(String query) {
		assertThat(this.api.as("bob").list(query).ok().body()).isEqualTo("[]");
		assertThat(appList("x", query).ok().body()).isEqualTo("[]");
	}

	@ParameterizedTest
	@CsvSource({ "error=maybe, error", "from=yesterday, from", "from=2026-13-01, from", "until=, until",
			"from=1e99, from", "tool=, tool", "tool=%00, tool", "author=%00, author", "author=, author",
			"prefix=%00, prefix", "Error=true, Error", "limit=0&error=true, limit",
			"error=true&pageToken=AAAA, pageToken", "label=x&error=true, label" })
	void namesTheParameterThatIsRefused(String query, String parameter) {
		assertThat(this.api.list(query).problem(400, "INVALID_ARGUMENT").detail()).contains(parameter);
		assertThat(appList("", query).problem(400, "INVALID_ARGUMENT").detail()).contains(parameter);
	}

	@ParameterizedTest
	@ValueSource(strings = { "tool=%27;drop%20table%20events;--", "tool=%22", "tool=%5C", "author=%25", "tool=$%7B1%7D",
			"prefix=%27%29--", "author=%5Cu0000", "tool=%F0%9F%98%80%20.*" })
	void takesHostileValuesAsText(String query) {
		assertThat(this.api.list(query).ok().body()).isEqualTo("[]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "error=true", "error=true&order=desc", "author=planner", "tool=book", "from=0" })
	void missesAndDoublesNothingFromPageToPage(String query) {
		for (int number = 4; number < 12; number++) {
			this.api.create("{'sessionId': 's%d'}".formatted(number)).ok();
			append("s" + number,
					"{'author': 'planner', 'errorCode': 'E', 'content': {'parts': [{'functionCall': {'name': 'book'}}]}}");
		}
		List<String> all = this.api.list(query).ok().json().findValuesAsString("id");
		List<String> paged = new ArrayList<>();
		Answer page = this.api.list(query + "&limit=2").ok();
		paged.addAll(page.json().findValuesAsString("id"));
		while (page.header("X-Next-Page-Token").isPresent()) {
			page = this.api.list(query + "&limit=2&pageToken=" + page.header("X-Next-Page-Token").get()).ok();
			paged.addAll(page.json().findValuesAsString("id"));
		}
		assertThat(paged).isEqualTo(all).hasSizeGreaterThan(8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "author=planner", "error=true&tool=book", "error=true&prefix=s" })
	void refusesATokenOfAnotherFilter(String query) {
		String token = this.api.list("error=true&limit=1").header("X-Next-Page-Token").orElseThrow();
		this.api.list(query + "&pageToken=" + token).problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.list("error=true&pageToken=" + token).ok().json()).hasSize(1);
	}

	private void append(String session, String event) {
		this.api.append(session, event).ok();
	}

	private Answer appList(String suffix, String query) {
		return this.api.http().get(this.api.appPath() + suffix + "/sessions?" + query);
	}

	private static String matches(Answer list) {
		List<String> found = new ArrayList<>();
		list.json().forEach((session) -> found.add(session.at("/id").stringValue() + ":" + session.at("/matchedSeq")));
		return String.join(" ", found);
	}

}
