package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The pages that search what was said, and those with the facts about a user. */
@HttpTest
class SearchPagesTests {

	private final Http http;

	private final PageVisitor visitor;

	private final JdbcConnectionDetails server;

	private final String app = "/apps/app-" + UUID.randomUUID();

	private String user = this.app + "/users/alice";

	SearchPagesTests(Http http, JdbcConnectionDetails server) {
		this.http = http;
		this.server = server;
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void groupsHitsBySessionAndMarksOnlyWords() {
		say("s1", "Do you like <em>Kyoto</em> &amp; Nara?", "Kyoto in May", "No opinion");
		say("s2", "Kyoto again");
		String page = page("/search?q=kyoto");
		assertThat(page)
			.contains("&lt;em&gt;<mark>Kyoto</mark>&lt;/em&gt; &amp;amp; Nara?", "for <bdi>kyoto</bdi>", "score 1.00",
					"/console" + this.user + "/sessions/s1?at=1#event-1", "<bdi>No opinion</bdi>")
			.doesNotContain("<em>");
		assertThat(page.split("<section class=\"hits\"")).hasSize(3);
		assertThat(page("/sessions/s2/search?q=kyoto")).contains("Kyoto</mark> again", "/search?q=kyoto\"")
			.doesNotContain("Nara");
		assertThat(page("/sessions/none/search?q=kyoto")).contains("Nothing was found.");
		assertThat(page("/search")).doesNotContain("Nothing was found.");
		assertThat(page("")).contains("<label><span>Search what was said</span>");
		assertThat(page("/sessions/s2")).contains("<label><span>Search this session</span>");
		assertThat(page("/sessions/s2/search")).contains("<label><span>Search this session</span>");
	}

	@Test
	void hasCommandsThatReadTheSame() {
		say("s1", "Kyoto & Nara");
		remember("{\"id\":\"k\",\"text\":\"Loves Kyoto\"}");
		assertThat(this.http.get(command("/search?q=kyoto%20%26x")).ok().at("/hits")).hasSize(2);
		assertThat(this.http.get(command("/sessions/s1/search?q=kyoto")).ok().at("/hits")).hasSize(1);
		assertThat(this.http.get(command("/facts")).ok().text("/memories/0/id")).isEqualTo("k");
	}

	private String command(String page) {
		Matcher command = Pattern.compile("curl &#39;http://[^/]+(/[^&]+(?:&amp;[^&]+)*)&#39;").matcher(page(page));
		assertThat(command.find()).as(page).isTrue();
		return command.group(1).replace("&amp;", "&");
	}

	@ParameterizedTest
	@ValueSource(strings = { "q=%3Cb%3E&page=AAAA", "q=%3Cb%3E" + "xxxxxxxxxx", "q=%3Cb%3E&page=" })
	void keepsTheFormWithWhatIsWrong(String query) {
		String longQuery = query.replace("xxxxxxxxxx", "x".repeat(2000));
		Answer answer = this.visitor.get("/console" + this.user + "/search?" + longQuery);
		boolean valid = query.endsWith("page=");
		assertThat(answer.status()).isEqualTo(valid ? 200 : 400);
		assertThat(answer.body().contains("role=\"alert\"")).isEqualTo(!valid);
		assertThat(answer.body()).contains("name=\"q\"", "value=\"&lt;b&gt;");
	}

	@Test
	void forgetsAnEventAndDeletesAFactOnce() {
		say("s1", "Kyoto in May", "Osaka in June");
		remember("{\"id\":\"k\",\"text\":\"Loves Kyoto\"}");
		String search = "/console" + this.user + "/search?q=kyoto";
		List<String> ids = IntStream.of(1, 2).mapToObj((i) -> {
			String form = this.visitor.get(search).body().split("name=\"id\" value=\"")[1];
			String id = form.substring(0, form.indexOf('"'));
			Answer answer = this.visitor.submit(search, "/console" + this.user + "/search/forget", "id", id, "q",
					"kyoto");
			assertThat(answer.header("Location")).hasValue(search);
			return id;
		}).toList();
		assertThat(ids).hasSize(2).anyMatch("k"::equals).anyMatch((id) -> id.startsWith("event-"));
		assertThat(page("/search?q=kyoto")).contains("Nothing was found.");
		assertThat(page("/search?q=osaka")).contains("Osaka").doesNotContain("Kyoto");
		assertThat(page("/facts")).contains("There are none.");
		assertThat(page("/sessions/s1")).contains("Kyoto in May");
	}

	@Test
	void searchesOnUntilAllEventsAreSearched() {
		IntStream.range(0, 5)
			.forEach((batch) -> say("s" + batch,
					IntStream.range(0, 500).mapToObj((i) -> "Osaka " + i).toArray(String[]::new)));
		say("newest", "Kyoto");
		String here = "/search?q=kyoto";
		String page = page(here);
		assertThat(page).contains("of 2,501 events are searched.").doesNotContain("Nothing was found.");
		for (int steps = 0; page.contains("hx-trigger=\"load"); steps++) {
			assertThat(steps).isLessThan(100);
			Matcher next = Pattern.compile("hx-get=\"/console([^\"]+)\"").matcher(page);
			assertThat(next.find()).isTrue();
			page = page(next.group(1).replace("&amp;", "&").substring(this.user.length()));
		}
		assertThat(page).contains("<mark>Kyoto</mark>").doesNotContain("events are searched");
		assertThat(page("/search?q=nara")).contains("Nothing was found.");
	}

	@Test
	void searchesAllUsersOfAnAppOneAfterTheOther() {
		for (int number = 0; number < 120; number++) {
			this.user = this.app + "/users/user-" + number;
			say("s1", "Osaka");
		}
		IntStream.range(0, 5)
			.forEach((batch) -> say("long-" + batch,
					IntStream.range(0, 500).mapToObj((i) -> "Osaka " + i).toArray(String[]::new)));
		String last = this.http.get(this.app + "/users?limit=1000").ok().text("/users/119/userId");
		this.user = this.app + "/users/" + last;
		say("newest", "Kyoto <b>");
		remember("{\"text\":\"Loves Kyoto\"}");
		List<String> pages = searchApp("kyoto");
		assertThat(pages).hasSizeGreaterThan(1);
		assertThat(pages.get(0)).contains("Searched users: ", "Nothing was found so far.", "hx-trigger=\"load\"");
		assertThat(pages.get(pages.size() - 1)).contains("Searched users: 120, all of them. Hits until now: 2.",
				"<mark>Kyoto</mark> &lt;b&gt;", "Loves <mark>Kyoto</mark>", " · Facts</h2>",
				"/console" + this.user + "/sessions/newest?at=1#event-1", "/console" + this.user + "/search/forget\"",
				"/console" + this.user + "\"><bdi>" + last + "</bdi></a> · ")
			.doesNotContain("Search on");
		List<String> without = searchApp("nara");
		assertThat(without.get(without.size() - 1)).contains("Searched users: 120, all of them. Nothing was found.");
		assertThat(without.subList(0, without.size() - 1))
			.allSatisfy((page) -> assertThat(page).contains("Nothing was found so far."));
	}

	@Test
	void stopsTheSearchOfAnAppAtSomeHits() {
		for (int number = 0; number < 12; number++) {
			this.user = this.app + "/users/user-" + number;
			say("s1", IntStream.range(0, 6).mapToObj((i) -> "Kyoto " + i).toArray(String[]::new));
		}
		List<String> pages = searchApp("kyoto");
		assertThat(pages).hasSize(2);
		assertThat(pages.get(0)).contains("Searched users: 10. Hits until now: 50.", "Search on")
			.doesNotContain("hx-trigger", "hx-get");
		assertThat(pages.get(1)).contains("Searched users: 12, all of them. Hits until now: 60.");
		assertThat(pages.get(0).split(">All hits of <")).hasSize(11);
		assertThat(String.join("", pages).split("<article class=\"event hit\"")).hasSize(61);
	}

	/**
	 * The statement that ranks times out, and then the time of the step is over as well.
	 */
	@Test
	void namesAUserWhoseSearchFailsTwiceAndSearchesOn() throws SQLException {
		for (String name : List.of("alice", "bob")) {
			this.user = this.app + "/users/" + name;
			say("s1", "Kyoto");
		}
		searchApp("kyoto");
		String failing = this.http.get(this.app + "/users").ok().text("/users/0/userId");
		Answer once;
		Answer twice;
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.execute("lock table said");
			once = this.visitor.get("/console" + this.app + "/search?q=kyoto");
			twice = this.visitor.get(nextStep(once).orElseThrow());
		}
		assertThat(once.body()).contains("Searched users: 0. Nothing was found so far.", "hx-trigger=\"load delay")
			.doesNotContain("failed");
		assertThat(twice.body()).contains("Searched users: 1. The search of 1 of them failed.",
				"The search of <bdi>" + failing + "</bdi> failed.",
				"/console" + this.app + "/users/" + failing + "/search?q=kyoto\">Search this user</a>");
		Answer last = this.visitor.get(nextStep(twice).orElseThrow());
		assertThat(last.body()).contains("Searched users: 2, all of them. The search of 1 of them failed.",
				"Hits until now: 1.", "<mark>Kyoto</mark>");
	}

	@Test
	void keepsTheFormOfAnAppWithWhatIsWrong() {
		say("s1", "Kyoto");
		assertThat(this.visitor.get("/console" + this.app).body()).contains("/console" + this.app + "/search\"");
		for (String query : List.of("q=%3Cb%3E&page=AAAA", "q=%3Cb%3E" + "x".repeat(2000))) {
			Answer answer = this.visitor.get("/console" + this.app + "/search?" + query);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body()).contains("role=\"alert\"", "value=\"&lt;b&gt;").doesNotContain("Nothing was");
		}
		assertThat(this.visitor.get("/console" + this.app + "/search").body()).doesNotContain("Nothing was");
	}

	/** Returns the pages of all steps. */
	private List<String> searchApp(String word) {
		List<String> pages = new ArrayList<>();
		Optional<String> next = Optional.of("/console" + this.app + "/search?q=" + word);
		while (next.isPresent()) {
			assertThat(pages).hasSizeLessThan(100);
			Answer page = this.visitor.get(next.get());
			assertThat(page.status()).as(page.body()).isEqualTo(200);
			pages.add(page.body());
			next = nextStep(page);
		}
		return pages;
	}

	private static Optional<String> nextStep(Answer page) {
		return PageVisitor.links(page).stream().filter((link) -> link.contains("&page=")).findFirst();
	}

	@Test
	void showsATimeWithALargeExponent() {
		this.http.post(this.user + "/sessions/s1", "{}").ok();
		for (String event : List.of("{'timestamp': 1e-999999999, 'content': {'parts': [{'text': 'Kyoto'}]}}",
				"{'timestamp': 0e-2147483647, 'content': {'parts': [{'text': 'Osaka'}]}}")) {
			this.http.post(this.user + "/sessions/s1/events", Json.of(event)).ok();
		}
		assertThat(page("/search?q=kyoto")).contains("Kyoto", "Osaka").contains("1970-01-01 00:00:00");
	}

	@Test
	void takesNoFormThatIsNotItsOwn() {
		remember("{\"id\":\"k\",\"text\":\"Loves Kyoto\"}");
		page("/facts");
		for (String form : List.of("/facts/forget", "/search/forget", "/sessions/s1/search/forget")) {
			assertThat(this.visitor.post("/console" + this.user + form, "id=k").status()).isEqualTo(403);
		}
		assertThat(this.http.get(this.user + "/memories/k").status()).isEqualTo(200);
	}

	@Test
	void leadsToAllHitsAndFactsPageByPage() {
		say("s1", IntStream.range(0, 50).mapToObj((i) -> "Kyoto " + i).toArray(String[]::new));
		IntStream.range(0, 60).forEach((i) -> remember("{\"text\":\"Fact number %d.\"}".formatted(i)));
		assertThat(hits("/sessions/s1/search?q=kyoto", "Kyoto</mark> ")).hasSize(50);
		assertThat(hits("/facts", "Fact number ")).hasSize(60);
		assertThat(this.visitor.get("/console" + this.user + "/facts?page=AAAA").status()).isEqualTo(400);
	}

	private Set<String> hits(String first, String before) {
		Set<String> found = new HashSet<>();
		Optional<String> next = Optional.of("/console" + this.user + first);
		while (next.isPresent()) {
			Answer page = this.visitor.get(next.get());
			List.of(page.body().split(before)).stream().skip(1).forEach((rest) -> found.add(rest.split("\\D", 2)[0]));
			next = PageVisitor.links(page).stream().filter((link) -> link.contains("page=")).findFirst();
		}
		return found;
	}

	private void say(String session, String... texts) {
		this.http.post(this.user + "/sessions/" + session, "{}").ok();
		String events = List.of(texts)
			.stream()
			.map((text) -> "{'author': 'user', 'content': {'parts': [{'text': '" + text + "'}]}}")
			.collect(Collectors.joining(","));
		this.http.post(this.user + "/sessions/" + session + "/events:batch", Json.of("{'events': [" + events + "]}"))
			.ok();
	}

	private void remember(String fact) {
		assertThat(this.http.post(this.user + "/memories", fact).status()).isEqualTo(201);
	}

	private String page(String path) {
		Answer page = this.visitor.get("/console" + this.user + path);
		assertThat(page.status()).as("%s: %s", path, page.body()).isEqualTo(200);
		return page.body();
	}

}
