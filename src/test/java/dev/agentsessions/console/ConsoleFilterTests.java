package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The filters of the lists of sessions, without JavaScript. */
@HttpTest
class ConsoleFilterTests {

	private final Http http;

	private final PageVisitor visitor;

	private final String app = "app-" + UUID.randomUUID();

	ConsoleFilterTests(Http http) {
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@ParameterizedTest
	@CsvSource({ "error=true, bad 2", "tool=book, bad 2", "author=planner, bad 3", "author=writer, good 1",
			"error=true&author=planner, bad 2", "prefix=go&author=writer, good 1", "label=a%3Db&author=writer, good 1",
			"from=2020-01-01&author=planner, bad 3" })
	void leadsToTheEventThatMatched(String query, String found) {
		createTwo();
		String id = found.split(" ")[0];
		String seq = found.split(" ")[1];
		String session = "/console/apps/" + this.app + "/users/alice/sessions/" + id;
		for (String page : List.of(app(), user())) {
			assertThat(page(page + "?" + query)).contains(session + "?at=" + seq + "#event-" + seq + "\"")
				.doesNotContain("/sessions/" + (id.equals("bad") ? "good" : "bad"));
		}
		assertThat(page(session + "?at=" + seq)).contains("id=\"event-" + seq + "\"");
	}

	@Test
	void readsConditionsInWordsAndShowsWhatRowsSay() {
		List.of("s1", "s2", "s3", "s4")
			.forEach((id) -> this.http.post("/apps/" + this.app + "/users/alice/sessions/" + id, "{}").ok());
		append("s1", "{'author': 'planner', 'content': {'parts': [{'text': 'All <b>good</b>.'}]}}");
		append("s2", "{'author': 'planner', 'longRunningToolIds': ['c1'], 'content': {'parts': [{'functionCall': "
				+ "{'id': 'c1', 'name': 'ask'}}]}}");
		append("s3", "{'author': 'planner', 'content': {'parts': [{'functionResponse': {'name': 'book hotel', "
				+ "'response': {'error': 'full'}}}]}}");
		append("s4", "{'author': 'planner', 'content': {'parts': [{'text': '%s'}]}}".formatted("x".repeat(9000)));
		String list = page(app());
		assertThat(list).contains("<span class=\"status live\">live</span>",
				"<span class=\"status waits\">waits</span>", "<span class=\"status error\">error</span>",
				"All &lt;b&gt;good&lt;/b&gt;.", "calls ask", "book hotel: full", ">just now</time>");
		assertThat(list).doesNotContain("xxx");
		String found = page(app() + "?filter="
				+ PageVisitor.encode("error: tool:\"book hotel\" since:2020-01-01 author:planner s"));
		assertThat(found)
			.contains("/sessions/s3?at=1#event-1\"", "name=\"tool\" autocomplete=\"off\" value=\"book hotel\"",
					"value=\"s since:2020-01-01 error: tool:&quot;book hotel&quot; author:planner\"",
					"href=\"" + app() + "?prefix=s&amp;from=2020-01-01&amp;error=true&amp;author=planner\"")
			.doesNotContain("/sessions/s1?");
		assertThat(page(app() + "?filter=waiting:")).contains("calls ask").doesNotContain("book hotel: full");
		assertThat(this.visitor.get(app() + "?filter=label:none").status()).isEqualTo(400);
		assertThat(page(app() + "?filter=urn:x")).contains("value=\"urn:x\"");
	}

	@Test
	void findsNothingOfOtherDays() {
		createTwo();
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		assertThat(page(app() + "?error=true&until=" + today.minusDays(2))).contains("No session matches.");
		assertThat(page(app() + "?error=true&from=" + today.plusDays(2))).contains("No session matches.");
		assertThat(page(app())).contains("?error=true&amp;from=", "until=" + today.minusDays(1) + "\">yesterday</a>");
	}

	@Test
	void findsTheBeginningOfAnIdOrName() {
		createTwo();
		assertThat(page(user() + "?prefix=go")).contains("/sessions/good").doesNotContain("/sessions/bad");
		assertThat(page(user() + "?prefix=A%20ba")).contains("/sessions/bad").doesNotContain("/sessions/good");
	}

	@ParameterizedTest
	@CsvSource({ "label=noequals, noequals, must be written key=value", "from=yesterday, yesterday, must be a day",
			"until=0000-01-01, 0000-01-01, years 1 to 9998", "from=9999-12-31, 9999-12-31, years 1 to 9998",
			"tool=%01x, x, control characters", "page=AAAA, Filter, must be one that the service has given" })
	void keepsTheFormOfAFilterThatIsRefused(String query, String typed, String rule) {
		createTwo();
		for (String page : List.of(app(), user())) {
			Answer answer = this.visitor.get(page + "?author=%22me%22&error=true&" + query);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body())
				.contains("role=\"alert\"", rule, typed, "value=\"&quot;me&quot;\"", "value=\"true\" checked",
						"name=\"tool\"")
				.doesNotContain("/sessions/good");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "${7*7}", "' or 1=1 --",
			"\u202Etxt.exe", "\\u0041", "%" })
	void showsWhatWasTypedAsText(String text) {
		createTwo();
		String typed = PageVisitor.encode(text);
		for (String name : List.of("prefix", "tool", "author", "label", "from", "until", "order", "page")) {
			Answer answer = this.visitor.get(app() + "?" + name + "=" + typed);
			assertThat(answer.status()).isIn(200, 400);
			assertThat(answer.body()).doesNotContain("<script>alert", "<img src=x", "=\"49\"");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "error=true", "author=a&order=user", "tool=f&error=true", "prefix=s" })
	void missesAndDoublesNothingFromPageToPage(String query) {
		List<String> expected = new ArrayList<>();
		for (int number = 0; number < 120; number++) {
			String user = (number % 3 == 0) ? "bob" : "alice";
			expected.add(user + "/sessions/s" + number);
			create(user, "s" + number, "{'events': [{'author': 'a', 'errorCode': 'E',"
					+ "'content': {'parts': [{'functionCall': {'name': 'f'}}]}}, {'author': 'b'}]}");
		}
		List<String> found = new ArrayList<>();
		@Nullable String next = app() + "?" + query;
		while (next != null) {
			List<String> links = PageVisitor.links(this.visitor.get(next));
			links.stream()
				.filter((link) -> link.contains("/sessions/") && !link.contains("?"))
				.forEach((link) -> found.add(link.substring(link.indexOf("/users/") + "/users/".length())));
			next = links.stream().filter((link) -> link.contains("page=")).findFirst().orElse(null);
		}
		assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
	}

	private void createTwo() {
		create("alice", "bad", "{'state': {}, 'displayName': 'A bad one'}");
		append("bad", "{'author': 'user'}");
		append("bad",
				"{'author': 'planner', 'content': {'parts': [{'functionResponse': {'name': 'book', 'response': {'error': 'full'}}}]}}");
		append("bad", "{'author': 'planner', 'content': {'parts': [{'text': 'sorry'}]}}");
		create("alice", "good", "{'state': {}, 'labels': {'a': 'b'}}");
		append("good", "{'author': 'writer'}");
	}

	private String app() {
		return "/console/apps/" + this.app;
	}

	private String user() {
		return app() + "/users/alice";
	}

	private void create(String user, String id, String body) {
		this.http.post("/apps/" + this.app + "/users/" + user + "/sessions/" + id, Json.of(body)).ok();
	}

	private void append(String id, String event) {
		this.http.post("/apps/" + this.app + "/users/alice/sessions/" + id + "/events", Json.of(event)).ok();
	}

	private String page(String path) {
		Answer answer = this.visitor.get(path);
		assertThat(answer.status()).as(path).isEqualTo(200);
		return answer.body();
	}

}
