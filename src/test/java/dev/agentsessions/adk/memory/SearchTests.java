package dev.agentsessions.adk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Searches what was said, over HTTP. */
@HttpTest
class SearchTests {

	private final Api api;

	private final JdbcTemplate jdbc;

	SearchTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.jdbc = jdbc;
	}

	@BeforeEach
	void create() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void findsAnEventAtOnce() {
		say("s1", "e1", "I would like to fly to Lisbon in May");
		Answer answer = search("{'q': 'flying Lisbon'}");
		JsonNode hit = answer.at("/hits/0");
		assertThat(hit.propertyNames()).containsExactly("id", "kind", "sessionId", "seq", "eventId", "author",
				"timestamp", "score", "content", "snippet", "marks");
		assertThat(hit.at("/snippet").stringValue())
			.isEqualTo("I would like to <em>fly</em> to <em>Lisbon</em> in May");
		assertThat(hit.at("/content").toString())
			.isEqualTo("{\"role\":\"user\",\"parts\":[{\"text\":\"I would like to fly to Lisbon in May\"}]}");
		assertThat(answer.json().propertyNames()).containsExactly("hits", "complete");
		assertThat(answer.at("/complete").booleanValue()).isTrue();
		say("s1", "e2", "Lisbon is warm");
		assertThat(found("lisbon")).containsExactlyInAnyOrder("e1", "e2");
		assertThat(this.api.http().get(path() + "?q=warm").json().findValuesAsString("eventId")).containsExactly("e2");
	}

	@Test
	void aDayIsFromItsBeginToItsEnd() {
		for (String time : List.of("2026-11-13T23:59:59.999999Z", "2026-11-14T00:00:00Z", "2026-11-14T23:59:59.999999Z",
				"2026-11-15T00:00:00Z")) {
			this.api
				.append("s1",
						event(time, "i", "user", "tulips of " + time).replace("{", "{'timestamp': '" + time + "', "))
				.ok();
		}
		assertThat(ids(search("{'q': 'tulip', 'from': '2026-11-14', 'until': '2026-11-14'}")))
			.containsExactlyInAnyOrder("2026-11-14T00:00:00Z", "2026-11-14T23:59:59.999999Z");
		assertThat(ids(search("{'q': 'tulip', 'from': '2026-11-15'}"))).containsExactly("2026-11-15T00:00:00Z");
		this.api.http().get(path() + "?q=tulip&from=2026-02-30").problem(400, "INVALID_ARGUMENT");
		this.api.http().get(path() + "?q=tulip&until=0000-01-01").problem(400, "INVALID_ARGUMENT");
	}

	/** Also a sign that no word is made of does not stop the search of its user. */
	@Test
	void findsWordsBesideApostrophesAndNumbers() {
		say("s1", "e1", "ʿ At l’hôtel O’Brien on 14.11.2026, Ankara\\u0027ya, 5kg ‼️");
		for (String word : List.of("hôtel", "HOTEL", "l\\u0027hotel", "brien", "O\\u0027Brien", "Ankara", "2026",
				"14.11.2026", "kg", "5 kg", "+brien", "\\u0022o\\u0027brien on 14\\u0022")) {
			assertThat(found(word)).as(word).containsExactly("e1");
		}
		assertThat(found("-hotel ankara")).isEmpty();
		assertThat(found("+d\\u0027Brien")).isEmpty();
		assertThat(search("{'q': 'hotel'}").text("/hits/0/snippet")).contains("l’<em>hôtel</em> O’Brien");
	}

	@Test
	void renewsAnIndexOfAnEarlierVersion() {
		say("s1", "e1", "l’hôtel");
		assertThat(found("hotel")).containsExactly("e1");
		this.jdbc.update("update said set tokens = $$'l''hotel':1$$::tsvector where user_key = ?",
				ScopeKey.of(new StateOwner(this.api.app(), "alice")));
		this.jdbc.update("update said_sessions set analysis = analysis - 31 where user_key = ?",
				ScopeKey.of(new StateOwner(this.api.app(), "alice")));
		Answer renewed = search("{'q': 'hotel'}");
		assertThat(ids(renewed)).containsExactly("e1");
		assertThat(renewed.at("/complete").booleanValue()).isTrue();
	}

	@Test
	void findsEventsWhoseTimeHasALargeExponent() {
		this.api.append("s1", "{'id': 'e1', 'timestamp': 1e-999999999, 'content': {'parts': [{'text': 'tulips'}]}}")
			.ok();
		this.api.append("s1", "{'id': 'e2', 'timestamp': 0e-2147483647, 'content': {'parts': [{'text': 'roses'}]}}")
			.ok();
		Answer answer = search("{'q': 'tulip', 'around': 1}");
		assertThat(answer.at("/hits/0/eventId").stringValue()).isEqualTo("e1");
		assertThat(answer.body()).contains("\"timestamp\":1e-999999999", "\"timestamp\":0e-2147483647");
		assertThat(found("roses")).containsExactly("e2");
	}

	@Test
	void findsNothingOfOthers() {
		say("s1", "e1", "the secret is blue");
		Api other = this.api.as("bob");
		assertThat(other.http().get(other.userPath() + "/events:search?q=secret").ok().at("/hits").isEmpty()).isTrue();
	}

	@Test
	void findsNeitherThoughtsNorFunctionCalls() {
		this.api.append("s1", """
				{'id': 'e1', 'author': 'agent', 'content': {'role': 'model', 'parts': [
				 {'text': 'hidden idea', 'thought': true}, {'functionCall': {'id': 'c', 'name': 'hidden', 'args': {}}},
				 {'text': 'plain words'}]}, 'outputTranscription': {'text': 'spoken aloud'}}""").ok();
		assertThat(found("hidden")).isEmpty();
		assertThat(found("plain")).containsExactly("e1");
		assertThat(found("spoken")).containsExactly("e1");
	}

	@Test
	void findsNothingOfARemovedSessionNorInItsSuccessor() {
		say("s1", "e1", "tulips");
		assertThat(found("tulips")).containsExactly("e1");
		assertThat(this.api.delete("s1").status()).isEqualTo(204);
		assertThat(found("tulips")).isEmpty();
		assertThat(rows("said")).isZero();
		assertThat(rows("said_sessions")).isZero();
		this.api.create("{'sessionId': 's1'}").ok();
		assertThat(found("tulips")).isEmpty();
	}

	@Test
	void erasesTheIndexWithTheUser() {
		say("s1", "e1", "tulips");
		assertThat(found("tulips")).containsExactly("e1");
		this.api.http().delete(this.api.userPath()).ok();
		assertThat(rows("said")).isZero();
		assertThat(rows("said_sessions")).isZero();
	}

	@Test
	void findsNothingOfAnExpiredSession() {
		say("s1", "e1", "tulips");
		assertThat(found("tulips")).containsExactly("e1");
		this.jdbc.update("update sessions set expire_time = now() - interval '1 second' where app_name = ?",
				this.api.app());
		assertThat(found("tulips")).isEmpty();
	}

	@Test
	void findsNothingThatARewindTakesBack() {
		say("s1", "e1", "tulips and roses");
		this.api.append("s1", event("e2", "i2", "user", "tulips again")).ok();
		assertThat(found("tulips")).containsExactlyInAnyOrder("e1", "e2");
		this.api.rewind("s1", "i2").ok();
		assertThat(found("tulips")).containsExactly("e1");
		say("s1", "e4", "more tulips");
		assertThat(found("tulips")).containsExactlyInAnyOrder("e1", "e4");
	}

	@Test
	void leavesSessionsOutThatOptOut() {
		say("s1", "e1", "tulips");
		assertThat(found("tulips")).containsExactly("e1");
		this.api.update("s1", "{'labels': {'memory': 'off'}}").ok();
		assertThat(found("tulips")).isEmpty();
		assertThat(rows("said")).isZero();
		this.api.update("s1", "{'labels': {'memory': 'on'}}").ok();
		assertThat(found("tulips")).containsExactly("e1");
	}

	@Test
	void filters() {
		this.api.create("{'sessionId': 's2, too'}").ok();
		this.api.append("s1",
				"""
						{'id': 'e1', 'author': 'user', 'timestamp': 1000, 'content': {'role': 'user', 'parts': [{'text': 'red tulip'}]}}""")
			.ok();
		this.api.append("s2, too", """
				{'id': 'e2', 'author': 'agent', 'timestamp': 2000, 'content': {'parts': [{'text': 'blue tulip'}]}}""")
			.ok();
		assertThat(found("tulips")).containsExactly("e2", "e1");
		assertThat(ids(search("{'q': 'tulip', 'sessionId': 's2, too'}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'tulip', 'sessionId': ['s1', 's2, too']}"))).containsExactly("e2", "e1");
		assertThat(this.api.http().get(path() + "?q=tulip&sessionId=s2,%20too").json().findValuesAsString("eventId"))
			.containsExactly("e2");
		assertThat(ids(search("{'q': 'tulip', 'exceptSessionId': 's1'}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'tulip', 'author': 'user'}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'tulip', 'from': 1500}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'tulip', 'until': 1500}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'red tulip', 'minScore': 0.9}"))).hasSizeLessThan(2);
		assertThat(ids(search("{'q': '+red tulip'}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'tulip -red'}"))).containsExactly("e2");
		assertThat(ids(search("{'q': '\\'blue tulip\\''}".replace("\\'", "\\\"")))).containsExactly("e2");
		assertThat(ids(search("{'q': '\\'tulip blue\\''}".replace("\\'", "\\\"")))).isEmpty();
	}

	@Test
	void showsTheTurnsAround() {
		for (int number = 1; number <= 5; number++) {
			say("s1", "e" + number, "turn " + number + ((number == 3) ? " tulip" : ""));
		}
		JsonNode hit = search("{'q': 'tulip', 'around': 1}").at("/hits/0");
		assertThat(hit.at("/before").findValuesAsString("eventId")).containsExactly("e2");
		assertThat(hit.at("/after").findValuesAsString("eventId")).containsExactly("e4");
	}

	@Test
	void listsHitsPageByPage() {
		for (int number = 1; number <= 5; number++) {
			say("s1", "e" + number, "tulip number " + number);
		}
		Answer first = search("{'q': 'tulip', 'limit': 2}");
		String token = first.text("/nextPageToken");
		Answer second = search("{'q': 'tulip', 'limit': 3, 'pageToken': '" + token + "'}");
		assertThat(ids(first)).hasSize(2);
		assertThat(ids(second)).hasSize(3).doesNotContainAnyElementsOf(ids(first));
		assertThat(second.at("/nextPageToken").isMissingNode()).isTrue();
		post("{'q': 'other', 'pageToken': '" + token + "'}").problem(400, "INVALID_ARGUMENT");
		this.api.as("bob")
			.http()
			.get(this.api.as("bob").userPath() + "/events:search?q=tulip&pageToken=" + token)
			.problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void endsAPageOfLargeEventsEarly() {
		for (int number = 1; number <= 6; number++) {
			this.api
				.append("s1",
						"{'id': 'e%d', 'author': 'user', 'content': {'parts': [{'text': 'tulip %d'},".formatted(number,
								number) + "{'inlineData': {'mimeType': 'image/png', 'data': '" + "A".repeat(900_000)
								+ "'}}]}}")
				.ok();
		}
		while (!search("{'q': 'tulip'}").at("/complete").booleanValue()) {
			assertThat(found("tulip")).isNotEmpty();
		}
		Answer page = search("{'q': 'tulip', 'around': 1}");
		List<String> found = new ArrayList<>(ids(page));
		assertThat(found).hasSizeBetween(1, 2);
		while (page.at("/nextPageToken").isString()) {
			page = search("{'q': 'tulip', 'around': 1, 'pageToken': '" + page.text("/nextPageToken") + "'}");
			found.addAll(ids(page));
		}
		assertThat(found).containsExactlyInAnyOrder("e1", "e2", "e3", "e4", "e5", "e6");
		assertThat(ids(search("{'q': 'tulip'}"))).hasSize(5);
	}

	@Test
	void leavesTheQuestionOutAndFoldsDoubles() {
		say("s1", "e1", "Where do tulips grow?");
		say("s1", "e2", "Tulips grow in Holland");
		say("s1", "e3", "tulips grow in holland!");
		assertThat(ids(search("{'q': 'where do tulips grow', 'mode': 'text'}"))).containsExactly("e3");
	}

	@Test
	void ranksRareWordsAndNeighboursFirst() {
		say("s1", "e1", "we talk about dinner");
		say("s1", "e2", "we talk about lunch");
		say("s1", "e3", "the violin costs a lot");
		say("s1", "e4", "we talk about breakfast");
		assertThat(found("talk violin").get(0)).isEqualTo("e3");
	}

	@Test
	void refusesWrongValues() {
		this.api.http().get(path()).problem(400, "INVALID_ARGUMENT");
		post("{'q': 'a', 'limit': 101}").problem(400, "INVALID_ARGUMENT");
		post("{'q': 'a', 'around': 6}").problem(400, "INVALID_ARGUMENT");
		post("{'q': 'a', 'minScore': 1.5}").problem(400, "INVALID_ARGUMENT");
		post("{'q': 'a', 'mode': 'fuzzy'}").problem(400, "INVALID_ARGUMENT");
		post("{'q': '" + "a".repeat(2001) + "'}").problem(400, "INVALID_ARGUMENT");
		post("{'query': 'a'}").problem(422, "VALIDATION_FAILED");
	}

	static List<String> hostileQueries() {
		return List.of("", " ", "\0", "a\0b", "\ud800", "x \udfff tulip", "'", "\\", "'; drop table said; --",
				"& | ! ( ) <-> :*", "!!!((tulip", "\"", "-", "+", "-tulip", "a".repeat(2000), "\"" + "a".repeat(1999),
				"-".repeat(2000), "(".repeat(2000), "\ufdfa".repeat(2000), "\u0301".repeat(2000),
				"\ud83d\ude00".repeat(1000),
				IntStream.range(0, 500).mapToObj(Integer::toString).collect(Collectors.joining(" ")), "a ".repeat(1000),
				IntStream.range(0x4e00, 0x4e00 + 2000).mapToObj(Character::toString).collect(Collectors.joining()),
				"%s%n${x}#{y}");
	}

	@ParameterizedTest
	@MethodSource("hostileQueries")
	void answersEveryQuery(String query) {
		this.api.http()
			.post(this.api.eventsPath("s1"),
					ascii(JsonMapper.shared()
						.writeValueAsString(Map.of("author", "user", "content",
								Map.of("parts", List.of(Map.of("text", "a 'tulip' \\ 7 " + storable(query))))))))
			.ok();
		for (String mode : List.of("text", "query")) {
			String body = JsonMapper.shared().writeValueAsString(Map.of("q", query, "mode", mode, "author", query));
			this.api.http().post(path(), ascii(body)).ok();
			this.api.http()
				.post(path(), ascii(JsonMapper.shared().writeValueAsString(Map.of("q", query, "mode", mode))))
				.ok();
		}
	}

	/**
	 * Each language has a user who says the answers and other things, and asks the
	 * questions.
	 */
	@Test
	void findsAnswersInManyLanguages() throws IOException {
		List<String[]> rows = questions();
		Map<String, Api> users = new HashMap<>();
		for (String[] row : rows) {
			Api user = users.computeIfAbsent(row[0], this::newUser);
			user.append("s1", event(row[1], row[1], "user", row[2])).ok();
			user.append("s1", event(row[3], row[1], "user", row[3])).ok();
		}
		List<String> unanswered = rows.stream()
			.filter((row) -> !isAnswered(Objects.requireNonNull(users.get(row[0])), row[1]))
			.map((row) -> row[1])
			.toList();
		assertThat(rows).hasSize(60);
		assertThat(unanswered).hasSizeLessThanOrEqualTo(3);
	}

	/** What whole words of letters find, as ADK's in-memory memory service compares. */
	@Test
	void findsThePartsOfJoinedWords() {
		Map<String, String> texts = new LinkedHashMap<>();
		texts.put("billing", "Open billing_service.py and fix the total");
		texts.put("customer_orders", "The rows are in public.customer_orders");
		texts.put("prod", "Start docker-compose.prod.yml on the host");
		texts.put("DATABASE", "Set MAX_DATABASE_URL before the start");
		texts.put("init", "The class moved to package/__init__.py");
		texts.put("exception", "It threw java.lang.IllegalStateException: java.io.exception");
		texts.put("beans", "See org.springframework.beans.factory");
		texts.put("invoice", "I sent invoice_2024_03.pdf");
		texts.put("anna", "Write to anna.mueller@example.com");
		texts.put("grafana", "It runs at https://grafana.internal.example.org:3000/d/7");
		texts.put("release", "The branch is release_v1.2.3");
		texts.put("services", "Deploy auth_service today");
		texts.put("user", "Call getUserName first");
		texts.put("kubernetes", "Restart the k8s cluster");
		texts.forEach((query, text) -> say("s1", query, text));
		List<String> byLetters = texts.keySet()
			.stream()
			.filter((query) -> !Collections.disjoint(letters(query), letters(texts.get(query))))
			.toList();
		assertThat(byLetters).hasSize(11);
		assertThat(texts.keySet().stream().filter((query) -> found(query).contains(query))).containsAll(byLetters)
			.contains("services")
			.doesNotContain("user");
	}

	private static List<String> letters(String text) {
		return Pattern.compile("[A-Za-z]+")
			.matcher(text.toLowerCase(Locale.ROOT))
			.results()
			.map(MatchResult::group)
			.toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.14", "192.168.0.1", "1.2.3", "v1.2.3", "billing_service.py", "docker-compose.prod.yml",
			"anna.mueller@example.com", "https://example.com/a_b.html?c=1", "10:30", "p.m.", "U.S.A.", "e.g.",
			"1_000_000", "public.customer_orders", "__init__", "\u30ab\u30bf_\u30ab\u30ca", "\u4e2d_\u6587" })
	void findsAJoinedWordAsAWhole(String word) {
		say("s1", "whole", "You said (" + word + ") yesterday");
		say("s1", "parts", "v 1 2 3 14 168 0 192 10 30 000");
		for (String query : List.of(word, "+" + word, "\\\"" + word + "\\\"", "\\\"said " + word + " yesterday\\\"")) {
			assertThat(found(query)).as(query).startsWith("whole");
		}
		assertThat(found("yesterday -" + word)).isEmpty();
	}

	@Test
	void keepsAbbreviationsWholeAndFindsPartsOfNumbers() {
		say("s1", "e1", "Version 1.2.3 of 3.14 runs at 192.168.0.1, e.g. in the U.S.A.");
		for (String query : List.of("u", "s", "g")) {
			assertThat(found(query)).as(query).isEmpty();
		}
		for (String query : List.of("2", "14", "168", "+1.2", "+2.3")) {
			assertThat(found(query)).as(query).containsExactly("e1");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "billing | <em>billing</em>_service.py", "service | billing_<em>service</em>.py",
					"billing_service.py | <em>billing_service.py</em>",
					"billing service | <em>billing</em>_<em>service</em>.py" })
	void marksWhatAQueryNames(String query, String snippet) {
		say("s1", "e1", "billing_service.py");
		say("s1", "e2", "billing and service");
		JsonNode hit = search("{'q': '+" + query + "'}").at("/hits")
			.valueStream()
			.filter((found) -> found.at("/eventId").stringValue().equals("e1"))
			.findFirst()
			.orElseThrow();
		assertThat(hit.at("/snippet").stringValue()).isEqualTo(snippet);
		assertThat(hit.at("/marks").size()).isEqualTo(snippet.split("<em>").length - 1);
	}

	@Test
	void findsPartsInTheirOrder() {
		say("s1", "e1", "see public.customer_orders today");
		for (String query : List.of("customer_orders", "public.customer", "public customer orders today",
				"see public")) {
			assertThat(found("\\\"" + query + "\\\"")).as(query).containsExactly("e1");
		}
		assertThat(found("\\\"orders_customer\\\"")).isEmpty();
		assertThat(found("see -orders")).isEmpty();
	}

	private Api newUser(String name) {
		Api user = this.api.as(name);
		user.create("{'sessionId': 's1'}").ok();
		return user;
	}

	private static boolean isAnswered(Api user, String question) {
		String body = JsonMapper.shared().writeValueAsString(Map.of("q", question, "mode", "text", "limit", 3));
		return ids(user.http().post(user.userPath() + "/events:search", body).ok()).contains(question);
	}

	/** Rows of a language, a question, what answers it, and what is said next. */
	private static List<String[]> questions() throws IOException {
		String rows = new ClassPathResource("/search/questions.csv").getContentAsString(StandardCharsets.UTF_8);
		return rows.lines().map((row) -> row.split("\\|")).toList();
	}

	private List<String> found(String query) {
		return ids(search("{'q': '" + query + "'}"));
	}

	private static List<String> ids(Answer answer) {
		return answer.at("/hits").valueStream().map((hit) -> hit.at("/eventId").stringValue()).toList();
	}

	private Answer search(String body) {
		return post(body).ok();
	}

	private Answer post(String body) {
		return this.api.http().post(path(), body.startsWith("{\"") ? body : Json.of(body));
	}

	private String path() {
		return this.api.userPath() + "/events:search";
	}

	private void say(String session, String id, String text) {
		this.api.append(session, event(id, "i-" + id, "user", text)).ok();
	}

	private static String event(String id, String invocation, String author, String text) {
		return "{'id': '" + id + "', 'author': '" + author + "', 'invocationId': '" + invocation
				+ "', 'content': {'role': 'user', 'parts': [{'text': '" + text + "'}]}}";
	}

	/** Writes other characters as escapes: HTTP cannot carry half a character. */
	private static String ascii(String json) {
		return json.chars()
			.mapToObj((c) -> (c < 127) ? Character.toString(c) : String.format("\\u%04x", c))
			.collect(Collectors.joining());
	}

	private static String storable(String text) {
		return StorableText.test(text) ? text : "";
	}

	private long rows(String table) {
		Long count = this.jdbc.queryForObject("select count(*) from " + table + " where user_key = ?", Long.class,
				ScopeKey.of(new StateOwner(this.api.app(), "alice")));
		return (count != null) ? count : -1;
	}

}
