package dev.agentsessions.adk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EmbeddingServer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Searches by meaning, over HTTP, with an embedding model. */
@HttpTest
class MeaningTests {

	private static final int MAX_TURNS = 40;

	private static final EmbeddingServer model = new EmbeddingServer();

	private final Api api;

	private final JdbcTemplate jdbc;

	private final MeterRegistry metrics;

	MeaningTests(Http http, JdbcTemplate jdbc, MeterRegistry metrics) {
		this.api = new Api(http);
		this.jdbc = jdbc;
		this.metrics = metrics;
	}

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry registry) {
		registry.add("agent-sessions.search.embeddings.url", model::url);
		registry.add("agent-sessions.search.embeddings.model", () -> "topics");
		registry.add("agent-sessions.search.embeddings.api-key", () -> "secret-key");
		registry.add("agent-sessions.search.embeddings.dimensions", () -> 4);
		registry.add("agent-sessions.search.max-turns", () -> MAX_TURNS);
	}

	@BeforeEach
	void create() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@AfterEach
	void work() {
		model.work();
	}

	@Test
	void findsATurnThatOnlyMeansTheSame() {
		say("s1", "e1", "We bought an automobile");
		say("s1", "e2", "There is a tulip");
		say("s1", "e3", "Nothing special");
		assertThat(ids(search("{'q': 'car'}"))).isEmpty();
		fill(3);
		Answer answer = search("{'q': 'car'}");
		assertThat(ids(answer)).containsExactly("e1");
		assertThat(answer.at("/semantic").booleanValue()).isTrue();
		assertThat(answer.at("/hits/0/score").doubleValue()).isEqualTo(0.35);
		assertThat(answer.text("/hits/0/snippet")).isEqualTo("We bought an automobile");
		assertThat(answer.at("/hits/0/marks").isEmpty()).isTrue();
		assertThat(ids(search("{'q': 'car', 'mode': 'text'}"))).containsExactly("e1");
	}

	@Test
	void asksTheModelAsOpenAiIsAsked() {
		say("s1", "e1", "A vehicle of " + this.api.app());
		fill(1);
		EmbeddingServer.Asked asked = model.asked()
			.stream()
			.filter((request) -> request.inputs().contains("A vehicle of " + this.api.app()))
			.findFirst()
			.orElseThrow();
		assertThat(asked.authorization()).isEqualTo("Bearer secret-key");
		assertThat(asked.body().at("/model").stringValue()).isEqualTo("topics");
		assertThat(asked.body().at("/dimensions").intValue()).isEqualTo(4);
		assertThat(asked.body().at("/encoding_format").stringValue()).isEqualTo("float");
		assertThat(this.jdbc.queryForList("select model from said_vectors where user_key = ?", String.class, userKey()))
			.containsExactly("topics/4");
	}

	@Test
	void addsWordsAndMeaning() {
		say("s1", "e1", "The automobile is red");
		say("s1", "e2", "Red is nice");
		say("s1", "e3", "A red car and an old vehicle");
		say("s1", "e4", "Nothing special");
		fill(4);
		Answer answer = search("{'q': 'red car'}");
		assertThat(ids(answer)).startsWith("e3", "e1").contains("e2").doesNotContain("e4");
		assertThat(answer.at("/hits/0/score").doubleValue()).isGreaterThan(0.99);
		assertThat(ids(search("{'q': 'red car', 'minScore': 0.9}"))).containsExactly("e3");
	}

	@Test
	void keepsToFilters() {
		this.api.create("{'sessionId': 's2'}").ok();
		this.api.append("s1", event("e1", "i1", "user", "an automobile with a roof", 1000)).ok();
		this.api.append("s2", event("e2", "i2", "agent", "a vehicle", 2000)).ok();
		this.api.append("s2", event("e3", "i3", "agent", "other talk", 2000)).ok();
		fill(3);
		assertThat(ids(search("{'q': 'car'}"))).containsExactlyInAnyOrder("e1", "e2");
		assertThat(ids(search("{'q': 'car', 'sessionId': 's2'}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'car', 'exceptSessionId': 's2'}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'car', 'author': 'user'}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'car', 'from': 1500}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'car', 'until': 1500}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'car -roof'}"))).containsExactly("e2");
		assertThat(ids(search("{'q': 'car +roof'}"))).containsExactly("e1");
		assertThat(ids(search("{'q': 'car', 'minScore': 0.5}"))).isEmpty();
	}

	@Test
	void findsNothingOfOthers() {
		say("s1", "e1", "an automobile");
		fill(1);
		Api other = this.api.as("bob");
		assertThat(other.http().get(other.userPath() + "/events:search?q=car").ok().at("/hits").isEmpty()).isTrue();
	}

	@Test
	void leavesTheQuestionOutAndFoldsDoubles() {
		say("s1", "e1", "Where is the car?");
		say("s1", "e2", "The vehicle is at home");
		say("s1", "e3", "the vehicle is at home!");
		fill(3);
		assertThat(ids(search("{'q': 'where is the car', 'mode': 'text'}"))).containsExactly("e3");
	}

	@Test
	void findsOnlyTheNewestTurns() {
		say("s1", "e1", "an automobile");
		for (int number = 2; number <= MAX_TURNS; number++) {
			say("s1", "e" + number, "talk " + number);
		}
		fill(MAX_TURNS);
		assertThat(ids(search("{'q': 'car'}"))).containsExactly("e1");
		say("s1", "last", "more talk");
		assertThat(ids(search("{'q': 'car'}"))).isNotEmpty().doesNotContain("e1");
	}

	@Test
	void findsNothingThatARewindTakesBack() {
		say("s1", "e1", "an automobile");
		this.api.append("s1", event("e2", "i2", "user", "a vehicle", 1000)).ok();
		fill(2);
		this.api.rewind("s1", "i2").ok();
		fill(1);
		assertThat(ids(search("{'q': 'car'}"))).containsExactly("e1");
	}

	@Test
	void findsNothingThatIsForgotten() {
		say("s1", "e1", "an automobile");
		fill(1);
		String id = search("{'q': 'car'}").text("/hits/0/id");
		assertThat(this.api.http().delete(this.api.userPath() + "/memories/" + id).status()).isEqualTo(204);
		assertThat(ids(search("{'q': 'car'}"))).isEmpty();
	}

	@Test
	void leavesNoVectorOfASessionThatOptsOut() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.api.update("s1", "{'labels': {'memory': 'off'}}").ok();
		assertThat(ids(search("{'q': 'car'}"))).isEmpty();
		assertThat(vectors()).isZero();
	}

	@Test
	void leavesNoVectorOfARemovedSession() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.api.delete("s1");
		assertThat(ids(search("{'q': 'car'}"))).isEmpty();
		assertThat(vectors()).isZero();
	}

	@Test
	void findsNothingOfAnExpiredSession() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.jdbc.update("update sessions set expire_time = now() - interval '1 second' where app_name = ?",
				this.api.app());
		assertThat(ids(search("{'q': 'car'}"))).isEmpty();
	}

	@Test
	void erasesTheVectorsWithTheUser() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.api.http().delete(this.api.userPath()).ok();
		assertThat(vectors()).isZero();
	}

	/** Another language or version has other words, and begins anew. */
	@Test
	void makesVectorsAnewWithAnotherAnalysis() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.jdbc.update("update said_sessions set analysis = 0 where user_key = ?", userKey());
		this.jdbc.update("update said_vectors set v = '' where user_key = ?", userKey());
		search("{'q': 'car'}");
		Awaitility.await().until(() -> ids(search("{'q': 'car'}")).equals(List.of("e1")));
	}

	@Test
	void makesVectorsAnewWithAnotherModel() {
		say("s1", "e1", "an automobile");
		fill(1);
		this.jdbc.update("update said_vectors set model = 'other', v = '' where user_key = ?", userKey());
		Awaitility.await().until(() -> ids(search("{'q': 'car'}")).equals(List.of("e1")));
		assertThat(vectors()).isEqualTo(1);
	}

	@Test
	void searchesByWordsWhileTheModelFails() {
		say("s1", "e1", "an automobile");
		say("s1", "e2", "a car");
		fill(2);
		double failures = failures("query");
		model.fail(500);
		assertFoundByWordsOnly();
		model.work();
		model.answer("no JSON");
		assertFoundByWordsOnly();
		model.answer("{\"data\": []}");
		assertFoundByWordsOnly();
		model.answer(" ".repeat(17_000_000) + "{}");
		assertFoundByWordsOnly();
		model.work();
		model.hold();
		assertFoundByWordsOnly();
		model.work();
		model.holdAfterFirstByte();
		assertFoundByWordsOnly();
		model.work();
		assertThat(failures("query")).isGreaterThanOrEqualTo(failures + 6);
		assertThat(ids(search("{'q': 'car'}"))).containsExactly("e2", "e1");
	}

	@Test
	void makesVectorsOnceTheModelWorksAgain() {
		say("s1", "e1", "an automobile");
		double failures = failures("turns");
		search("{'q': 'car'}");
		model.fail(429);
		say("s1", "e2", "a vehicle");
		this.api.http().patch(this.api.userPath() + "/memory", Json.of("{'sessionId': 's1'}")).ok();
		Awaitility.await().until(() -> failures("turns") > failures);
		model.work();
		Awaitility.await().until(() -> vectors() == 2);
		assertThat(ids(search("{'q': 'car'}"))).containsExactlyInAnyOrder("e1", "e2");
	}

	@Test
	void marksTextsThatTheModelRefuses() {
		for (int number = 1; number <= MAX_TURNS - 2; number++) {
			say("s1", "e" + number, "talk " + number);
		}
		say("s1", "poison", "poison in an automobile");
		say("s1", "last", "a vehicle");
		fill(MAX_TURNS);
		assertThat(ids(search("{'q': 'car'}"))).containsExactly("last");
		assertThat(this.jdbc.queryForObject("select count(*) from said_vectors where user_key = ? and v = ''",
				Integer.class, userKey()))
			.isEqualTo(1);
	}

	@Test
	void listsHitsPageByPage() {
		for (int number = 1; number <= 5; number++) {
			say("s1", "e" + number, "automobile number " + number);
		}
		say("s1", "e6", "a car");
		say("s1", "e7", "other talk");
		fill(7);
		Answer first = search("{'q': 'car', 'limit': 2}");
		Answer second = search("{'q': 'car', 'limit': 5, 'pageToken': '" + first.text("/nextPageToken") + "'}");
		assertThat(ids(first)).hasSize(2).startsWith("e6");
		assertThat(ids(second)).hasSize(4).doesNotContainAnyElementsOf(ids(first)).doesNotContain("e7");
		assertThat(second.at("/nextPageToken").isMissingNode()).isTrue();
	}

	@Test
	void ranksFactsByTheirWords() {
		say("s1", "e1", "an automobile");
		this.api.http().post(this.api.userPath() + "/memories", Json.of("{'id': 'f1', 'text': 'Has a car'}"));
		fill(1);
		List<String> kinds = search("{'q': 'car', 'facts': true}").json().findValuesAsString("kind");
		assertThat(kinds).containsExactly("fact", "event");
	}

	private void assertFoundByWordsOnly() {
		Answer answer = search("{'q': 'car'}");
		assertThat(ids(answer)).containsExactly("e2");
		assertThat(answer.at("/semantic").booleanValue()).isFalse();
	}

	private double failures(String of) {
		return this.metrics.get("agentsessions.search.embedding.failures").tag("of", of).counter().count();
	}

	/**
	 * Searches until there is this number of vectors: on a busy machine, one search may
	 * end before it has indexed the events.
	 */
	private void fill(int count) {
		Awaitility.await().until(() -> {
			search("{'q': 'anything'}");
			return vectors() == count;
		});
	}

	private int vectors() {
		Integer count = this.jdbc.queryForObject("select count(*) from said_vectors where user_key = ?", Integer.class,
				userKey());
		return (count != null) ? count : -1;
	}

	private Object userKey() {
		return ScopeKey.of(new StateOwner(this.api.app(), "alice"));
	}

	private static List<String> ids(Answer answer) {
		return answer.at("/hits").valueStream().map((hit) -> hit.at("/eventId").stringValue()).toList();
	}

	private Answer search(String body) {
		return this.api.http().post(this.api.userPath() + "/events:search", Json.of(body)).ok();
	}

	private void say(String session, String id, String text) {
		this.api.append(session, event(id, "i-" + id, "user", text, 1000)).ok();
	}

	private static String event(String id, String invocation, String author, String text, int time) {
		return Json.of("{'id': '%s', 'author': '%s', 'invocationId': '%s', 'timestamp': %d, ".formatted(id, author,
				invocation, time) + "'content': {'role': 'user', 'parts': [{'text': '" + text + "'}]}}");
	}

}
