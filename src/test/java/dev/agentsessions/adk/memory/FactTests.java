package dev.agentsessions.adk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.lifecycle.Purge;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Facts about a user, and events that are forgotten. */
@HttpTest
class FactTests {

	private final Api api;

	private final JdbcTemplate jdbc;

	private final Purge purge;

	FactTests(Http http, JdbcTemplate jdbc, Purge purge) {
		this.api = new Api(http);
		this.jdbc = jdbc;
		this.purge = purge;
	}

	@BeforeEach
	void create() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void storesAFactAsItWasSent() {
		Answer created = post("""
				{'id': 'f1', 'content': {'role': 'user', 'parts': [{'text': 'likes tea'}, {'text': 'and cake'}]},
				 'author': 'alice', 'timestamp': '2026-01-02T03:04:05Z', 'metadata': {'colour': 'red', 'n': 1.50}}""");
		assertThat(created.status()).isEqualTo(201);
		JsonNode fact = get("f1").ok().json();
		assertThat(fact).isEqualTo(created.json());
		assertThat(fact.propertyNames()).containsExactly("id", "text", "content", "author", "timestamp", "metadata",
				"createTime", "updateTime");
		assertThat(fact.at("/text").stringValue()).isEqualTo("likes tea\nand cake");
		assertThat(fact.at("/content").toString())
			.isEqualTo("{\"role\":\"user\",\"parts\":[{\"text\":\"likes tea\"},{\"text\":\"and cake\"}]}");
		assertThat(fact.at("/timestamp").decimalValue().toPlainString()).isEqualTo("1767323045");
		assertThat(fact.at("/metadata").toString()).isEqualTo("{\"colour\":\"red\",\"n\":1.50}");
	}

	@Test
	void repeatsAnEqualFactAndRefusesAnother() {
		Answer created = post("{'id': 'f1', 'text': 'likes tea', 'metadata': {'a': 1, 'b': 2}}");
		Answer again = post(
				"{'metadata': {'b': 2.0, 'a': 1}, 'content': {'parts': [{'text': 'likes tea'}]}, 'id': 'f1'}");
		assertThat(again.status()).isEqualTo(201);
		assertThat(again.header("Idempotent-Replayed")).contains("true");
		assertThat(created.header("Idempotent-Replayed")).isEmpty();
		assertThat(again.json()).isEqualTo(created.json());
		post("{'id': 'f1', 'text': 'likes coffee'}").problem(409, "ALREADY_EXISTS");
		assertThat(get("f1").text("/text")).isEqualTo("likes tea");
	}

	@Test
	void givesAFactAnId() {
		String id = post("{'text': 'likes tea'}").text("/id");
		assertThat(get(id).text("/text")).isEqualTo("likes tea");
		assertThat(post("{'text': 'likes tea'}").text("/id")).isNotEqualTo(id);
	}

	@Test
	void listsFactsNewestFirstPageByPage() {
		for (int number = 1; number <= 5; number++) {
			created("{'id': 'f" + number + "', 'text': 'fact " + number + "'}");
		}
		Answer first = this.api.http().get(path() + "?limit=2").ok();
		assertThat(first.at("/memories").findValuesAsString("id")).containsExactly("f5", "f4");
		Answer second = this.api.http().get(path() + "?limit=9&pageToken=" + first.text("/nextPageToken")).ok();
		assertThat(second.at("/memories").findValuesAsString("id")).containsExactly("f3", "f2", "f1");
		assertThat(second.at("/nextPageToken").isMissingNode()).isTrue();
		String other = this.api.as("bob").userPath() + "/memories";
		this.api.http().get(other + "?pageToken=" + first.text("/nextPageToken")).problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.http().get(other).ok().at("/memories").isEmpty()).isTrue();
	}

	@Test
	void changesAFact() {
		created("{'id': 'f1', 'text': 'likes tea', 'author': 'a', 'metadata': {'a': 1}}");
		Answer changed = patch("f1", "{'text': 'likes coffee', 'author': null}").ok();
		assertThat(patch("f1", "{'text': null}").status()).isEqualTo(422);
		assertThat(changed.text("/text")).isEqualTo("likes coffee");
		assertThat(changed.at("/author").isMissingNode()).isTrue();
		assertThat(changed.at("/metadata/a").intValue()).isEqualTo(1);
		assertThat(changed.at("/updateTime").decimalValue()).isGreaterThan(changed.at("/createTime").decimalValue());
		assertThat(found("tea")).isEmpty();
		assertThat(found("coffee")).containsExactly("f1");
		patch("none", "{'text': 'x'}").problem(404, "MEMORY_NOT_FOUND");
	}

	@Test
	void expires() {
		created("{'id': 'f1', 'text': 'likes tea', 'ttl': '3600s'}");
		assertThat(get("f1").at("/expireTime").decimalValue()).isPositive();
		created("{'id': 'f2', 'text': 'likes milk', 'ttl': null}");
		assertThat(get("f2").at("/expireTime").isMissingNode()).isTrue();
		assertThat(patch("f1", "{'ttl': null}").ok().at("/expireTime").isMissingNode()).isTrue();
		patch("f1", "{'ttl': 3600}").ok();
		patch("f1", "{'ttl': '0s'}").problem(400, "INVALID_ARGUMENT");
		this.jdbc.update("update memories set expire_time = now() - interval '1 second' where scope_key = ?",
				userKey());
		get("f1").problem(404, "MEMORY_NOT_FOUND");
		patch("f1", "{'text': 'x'}").problem(404, "MEMORY_NOT_FOUND");
		assertThat(found("tea")).isEmpty();
		assertThat(this.api.http().get(path()).ok().at("/memories").isEmpty()).isTrue();
		assertThat(post("{'id': 'f1', 'text': 'likes milk'}").status()).isEqualTo(201);
		this.jdbc.update("update memories set expire_time = now() - interval '1 second' where scope_key = ?",
				userKey());
		this.purge.run();
		assertThat(rows("memories")).isZero();
	}

	@Test
	void deletesAFact() {
		created("{'id': 'f1', 'text': 'likes tea'}");
		assertThat(delete("f1").status()).isEqualTo(204);
		assertThat(delete("f1").status()).isEqualTo(204);
		get("f1").problem(404, "MEMORY_NOT_FOUND");
		assertThat(found("tea")).isEmpty();
	}

	@Test
	void findsFactsBesideEvents() {
		say("e1", "tea is ready");
		created("{'id': 'f1', 'text': 'Likes green tea', 'author': 'agent', 'timestamp': 1000, 'metadata': {'k': 1}}");
		assertThat(found("tea")).containsExactlyInAnyOrder("f1", idOf("e1"));
		JsonNode hit = search("{'q': 'green', 'facts': true, 'around': 1}").at("/hits/0");
		assertThat(hit.propertyNames()).containsExactly("id", "kind", "author", "timestamp", "score", "content",
				"metadata", "snippet", "marks", "before", "after");
		assertThat(hit.at("/kind").stringValue()).isEqualTo("fact");
		assertThat(hit.at("/snippet").stringValue()).isEqualTo("Likes <em>green</em> tea");
		assertThat(ids(search("{'q': 'tea'}"))).containsExactly(idOf("e1"));
		assertThat(ids(search("{'q': 'tea', 'facts': true, 'author': 'agent'}"))).containsExactly("f1");
		assertThat(ids(search("{'q': 'tea', 'facts': true, 'until': 2000}"))).containsExactly("f1");
		assertThat(ids(search("{'q': 'tea', 'facts': true, 'from': 2000}"))).containsExactly(idOf("e1"));
		assertThat(ids(search("{'q': 'tea', 'facts': true, 'sessionId': 's1'}"))).containsExactly(idOf("e1"));
		assertThat(
				this.api.http().get(this.api.userPath() + "/events:search?q=green&facts=true").ok().text("/hits/0/id"))
			.isEqualTo("f1");
	}

	@Test
	void findsFactsOfAUserWithoutSessions() {
		Api other = this.api.as("carol");
		other.http().post(other.userPath() + "/memories", Json.of("{'id': 'f1', 'text': 'likes tea'}"));
		String all = Json.of("{'q': 'tea " + "w ".repeat(3) + numbers() + "', 'facts': true}");
		assertThat(other.http().post(other.userPath() + "/events:search", all).ok().text("/hits/0/id")).isEqualTo("f1");
		assertThat(found("tea")).isEmpty();
	}

	/** More words than rank, so the rarest are looked up. */
	private static String numbers() {
		StringBuilder words = new StringBuilder();
		for (int number = 1000; number < 1100; number++) {
			words.append(number).append(' ');
		}
		return words.toString();
	}

	@Test
	void takesFactsApartAgainForAnotherAnalysis() {
		created("{'id': 'f1', 'text': 'likes tea'}");
		this.jdbc.update("update memories set analysis = -1, tokens = '', words = 0 where scope_key = ?", userKey());
		assertThat(found("tea")).containsExactly("f1");
	}

	@Test
	void forgetsAnEvent() {
		say("e1", "The code is 1234");
		say("e2", "the code is 1234!");
		say("e3", "the code is long");
		String hit = search("{'q': '1234'}").text("/hits/0/id");
		assertThat(delete(hit).status()).isEqualTo(204);
		assertThat(found("1234")).isEmpty();
		this.api.http().post(this.api.sessionPath("s1") + ":fork", Json.of("{'sessionId': 's2'}"));
		assertThat(found("1234")).isEmpty();
		assertThat(search("{'q': 'long', 'around': 2}").at("/hits/0/before").isEmpty()).isTrue();
		assertThat(this.api.event("s1", "e2").ok().text("/content/parts/0/text")).isEqualTo("the code is 1234!");
		say("e4", "the code is 1234");
		assertThat(found("1234")).containsExactly(idOf("e4"));
	}

	@Test
	void forgetsNoEventOfOthers() {
		say("e1", "tulips");
		String id = search("{'q': 'tulip'}").text("/hits/0/id");
		Api other = this.api.as("bob");
		assertThat(other.http().delete(other.userPath() + "/memories/" + id).status()).isEqualTo(204);
		assertThat(delete("event-" + UUID.randomUUID() + "-1").status()).isEqualTo(204);
		assertThat(delete(id.replaceFirst("-1$", "-999999999999999999")).status()).isEqualTo(204);
		assertThat(found("tulip")).containsExactly(id);
	}

	@Test
	void erasesFactsWithTheUser() {
		say("e1", "tulips");
		created("{'id': 'f1', 'text': 'likes tea'}");
		delete(search("{'q': 'tulip'}").text("/hits/0/id"));
		assertThat(rows("memories") + rows("forgotten")).isEqualTo(2);
		this.api.http().delete(this.api.userPath()).ok();
		assertThat(rows("memories") + rows("forgotten")).isZero();
	}

	@Test
	void refusesWrongFacts() {
		post("{}").problem(422, "VALIDATION_FAILED");
		post("{'text': ' '}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'content': {'parts': [{'text': 'a'}]}}").problem(422, "VALIDATION_FAILED");
		post("{'content': {'parts': [{'functionCall': {'name': 'x'}}]}}").problem(400, "INVALID_ARGUMENT");
		post("{'content': {'parts': 'a'}}").problem(422, "VALIDATION_FAILED");
		post("{'fact': 'a'}").problem(422, "VALIDATION_FAILED");
		post("{'text': 'a', 'metadata': 'a'}").problem(422, "VALIDATION_FAILED");
		post("{'text': 'a', 'timestamp': 'now'}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'ttl': 'soon'}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'ttl': 0}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'ttl': '0.000000999s'}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'id': 'a/b'}").problem(400, "INVALID_ARGUMENT");
		post("{'text': 'a', 'id': 'event-" + UUID.randomUUID() + "-1'}").problem(400, "INVALID_ARGUMENT");
		post("{'text': '" + "a".repeat(33_000) + "'}").problem(400, "INVALID_ARGUMENT");
		assertThat(rows("memories")).isZero();
	}

	@Test
	void limitsTheFactsOfAUser() {
		this.jdbc
			.update("insert into memories (scope_key, id, create_time, update_time, said_at, author, analysis, words, same,"
					+ " tokens, body) select ?, 'n' || n, now(), now(), now(), '', 0, 0, n, '', '{\"content\":{\"parts\":[{\"text\":\"x\"}]}}'"
					+ " from generate_series(1, 10000) as n", userKey());
		post("{'text': 'likes tea'}").problem(400, "INVALID_ARGUMENT");
		assertThat(post("{'id': 'n1', 'text': 'x'}").status()).isEqualTo(201);
		delete("n1");
		created("{'text': 'likes tea'}");
	}

	@Test
	void storesEveryText() {
		List<String> facts = new ArrayList<>();
		for (String text : List.of("one tea \\u0000", "two tea \\ud800", "three tea '' \\\\", "four tea'; --")) {
			facts.add(created("{\"text\": \"" + text + "\"}").text("/id"));
		}
		assertThat(found("tea")).containsExactlyInAnyOrderElementsOf(facts);
	}

	@Test
	void addsASessionToMemoryAsAdkDoes() {
		say("e1", "tulips");
		Answer added = this.api.http().patch(memory(), Json.of("{'sessionId': 's1'}"));
		assertThat(added.status()).isEqualTo(200);
		assertThat(added.body()).isEqualTo("null");
		assertThat(rows("said", "user_key")).isOne();
		this.api.http().patch(memory(), Json.of("{'session_id': 's1'}")).ok();
		this.api.http().patch(memory(), Json.of("{'sessionId': 'none'}")).problem(404, "SESSION_NOT_FOUND");
		this.api.http().patch(memory(), Json.of("{}")).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void indexesAnApp() {
		say("e1", "tulips");
		Api other = this.api.as("bob");
		other.create("{'sessionId': 's1', 'events': [{'content': {'parts': [{'text': 'roses'}]}}]}").ok();
		Answer done = this.api.http().post("/apps/" + this.api.app() + ":reindex", "").ok();
		assertThat(done.at("/users").intValue()).isEqualTo(2);
		assertThat(done.at("/events").intValue()).isEqualTo(2);
		assertThat(done.at("/nextPageToken").isMissingNode()).isTrue();
		assertThat(rows("said", "user_key")).isOne();
		assertThat(this.api.http().post("/apps/" + this.api.app() + ":reindex", "").ok().at("/events").intValue())
			.isZero();
	}

	private String memory() {
		return this.api.userPath() + "/memory";
	}

	private String path() {
		return this.api.userPath() + "/memories";
	}

	private Answer post(String body) {
		return this.api.http().post(path(), body.startsWith("{\"") ? body : Json.of(body));
	}

	private Answer created(String body) {
		Answer answer = post(body);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		return answer;
	}

	private Answer get(String id) {
		return this.api.http().get(path() + "/" + id);
	}

	private Answer patch(String id, String body) {
		return this.api.http().patch(path() + "/" + id, Json.of(body));
	}

	private Answer delete(String id) {
		return this.api.http().delete(path() + "/" + id);
	}

	private Answer search(String body) {
		return this.api.http().post(this.api.userPath() + "/events:search", Json.of(body)).ok();
	}

	private List<String> found(String query) {
		return ids(search("{'q': '" + query + "', 'facts': true}"));
	}

	private static List<String> ids(Answer answer) {
		return answer.at("/hits").valueStream().map((hit) -> hit.at("/id").stringValue()).toList();
	}

	private String idOf(String eventId) {
		UUID key = this.jdbc.queryForObject("select session_key from sessions where app_name = ? and id = 's1'",
				UUID.class, this.api.app());
		Long seq = this.jdbc.queryForObject("select seq from events where session_key = ? and id = ?", Long.class, key,
				eventId);
		return "event-" + key + "-" + seq;
	}

	private void say(String id, String text) {
		this.api
			.append("s1", "{'id': '" + id + "', 'author': 'user', 'content': {'parts': [{'text': '" + text + "'}]}}")
			.ok();
	}

	private UUID userKey() {
		return ScopeKey.of(new StateOwner(this.api.app(), "alice"));
	}

	private long rows(String table) {
		return rows(table, "scope_key");
	}

	private long rows(String table, String column) {
		Long count = this.jdbc.queryForObject("select count(*) from " + table + " where " + column + " = ?", Long.class,
				userKey());
		return (count != null) ? count : -1;
	}

}
