package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Lists events over HTTP. */
@HttpTest
class EventListTests {

	private final Api api;

	EventListTests(Http http) {
		this.api = new Api(http);
		this.api.create("""
				{'sessionId': 's1', 'events': [
				 {'id': 'e1', 'author': 'user', 'invocationId': 'i1', 'timestamp': 500},
				 {'id': 'e2', 'author': 'agent', 'invocationId': 'i1', 'timestamp': 100},
				 {'id': 'e3', 'author': 'user', 'invocationId': 'i2', 'timestamp': 300},
				 {'id': 'e4', 'author': 'agent', 'invocationId': 'i2', 'timestamp': 400},
				 {'id': 'e5', 'author': 'user', 'invocationId': 'i3', 'timestamp': 200}]}""").ok();
	}

	@ParameterizedTest
	@CsvSource({ "'', e1 e2 e3 e4 e5", "order=asc, e1 e2 e3 e4 e5", "order=desc, e5 e4 e3 e2 e1",
			"limit=2, e1 e2|e3 e4|e5", "limit=2&order=desc, e5 e4|e3 e2|e1", "limit=5, e1 e2 e3 e4 e5",
			"limit=10001, e1 e2 e3 e4 e5", "afterSeq=3, e4 e5", "afterSeq=0, e1 e2 e3 e4 e5", "afterSeq=5, ''",
			"afterSeq=99, ''", "afterSeq=2&order=desc&limit=2, e5 e4|e3", "afterTimestamp=300, e1 e3 e4",
			"afterTimestamp=1970-01-01T00:05:00Z&limit=2, e1 e3|e4", "afterTimestamp=300.5&order=desc, e4 e1",
			"author=user&limit=2, e1 e3|e5", "author=nobody, ''", "invocationId=i2, e3 e4",
			"author=user&invocationId=i2, e3", "author=agent&afterSeq=2&limit=1, e4",
			"author=user&afterTimestamp=250&order=desc&limit=1, e3|e1" })
	void answersThePagesAskedFor(String query, String pages) {
		assertThat(pages(query)).isEqualTo(pages);
	}

	@Test
	void answersNoTokenOnTheLastPage() {
		assertThat(this.api.events("s1", "limit=5").ok().json().propertyNames()).containsExactly("events", "seqs");
		assertThat(this.api.events("s1", "limit=4").ok().json().propertyNames()).containsExactly("events", "seqs",
				"nextPageToken");
	}

	@Test
	void findsWhatIsAppendedWhileSomebodyTurnsPages() {
		String token = this.api.events("s1", "limit=4").text("/nextPageToken");
		String tokenBack = this.api.events("s1", "limit=4&order=desc").text("/nextPageToken");
		this.api.append("s1", "{'id': 'e6', 'author': 'user'}").ok();

		assertThat(ids(this.api.events("s1", "pageToken=" + token))).isEqualTo("e5 e6");
		assertThat(ids(this.api.events("s1", "order=desc&pageToken=" + tokenBack))).isEqualTo("e1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "order=desc", "author=user", "invocationId=i1", "afterTimestamp=100" })
	void refusesATokenOfAnotherQuery(String query) {
		String token = this.api.events("s1", "limit=1").text("/nextPageToken");

		Answer answer = this.api.events("s1", query + "&pageToken=" + token).problem(400, "INVALID_ARGUMENT");

		assertThat(answer.detail())
			.isEqualTo("pageToken must be one that the service has given to you for the same query");
	}

	@Test
	void refusesATokenOfAnotherSession() {
		this.api.create("{'sessionId': 's2'}").ok();
		String token = this.api.events("s1", "limit=1").text("/nextPageToken");

		this.api.events("s2", "pageToken=" + token).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void goesOnWithNoOtherSessionThatHasTakenThePlaceOfItsOwn() {
		String token = this.api.events("s1", "limit=1").text("/nextPageToken");
		String tokenBack = this.api.events("s1", "limit=1&order=desc").text("/nextPageToken");
		this.api.delete("s1");
		this.api.create("{'sessionId': 's1', 'events': [{'id': 'n1'}, {'id': 'n2'}, {'id': 'n3'}]}").ok();

		this.api.events("s1", "pageToken=" + token).problem(404, "SESSION_NOT_FOUND");
		this.api.events("s1", "order=desc&pageToken=" + tokenBack).problem(404, "SESSION_NOT_FOUND");
		assertThat(pages("limit=2")).isEqualTo("n1 n2|n3");
	}

	@Test
	void tellsAnEmptySessionFromAMissingOne() {
		this.api.create("{'sessionId': 's2'}").ok();

		assertThat(this.api.events("s2", "").ok().body()).isEqualTo("{\"events\":[],\"seqs\":[]}");
		this.api.events("missing", "").problem(404, "SESSION_NOT_FOUND");
		this.api.as("bob").events("s1", "").problem(404, "SESSION_NOT_FOUND");
	}

	private String pages(String query) {
		Answer page = this.api.events("s1", query).ok();
		List<String> pages = new ArrayList<>(List.of(ids(page)));
		while (page.json().has("nextPageToken")) {
			page = this.api.events("s1", query + "&pageToken=" + page.text("/nextPageToken")).ok();
			pages.add(ids(page));
		}
		return String.join("|", pages);
	}

	private static String ids(Answer list) {
		return String.join(" ", list.at("/events").findValuesAsString("id"));
	}

}
