package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/**
 * A client that gets no response to a creation or a fork sends it again, with its key.
 */
@HttpTest
class RepeatedCreationTests {

	private static final String BODY = "{'sessionId':'s','state':{'a':1},'events':[{'author':'user'}],'ttl':'3600s'}";

	private final Api api;

	private final JdbcTemplate jdbc;

	RepeatedCreationTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.jdbc = jdbc;
	}

	private Answer create(String body, String key) {
		return this.api.http().post(this.api.sessionsPath(), Json.of(body), "Idempotency-Key", key);
	}

	private Answer fork(String body, String key) {
		return this.api.http().post(this.api.sessionPath("s") + ":fork", Json.of(body), "Idempotency-Key", key);
	}

	private static boolean isReplayed(Answer answer) {
		return answer.header("Idempotent-Replayed").isPresent();
	}

	@Test
	void answersARepeatedCreationAsTheFirst() {
		Answer first = create(BODY, "k").ok();
		Answer second = create(BODY, "k").ok();
		assertThat(List.of(isReplayed(first), isReplayed(second))).containsExactly(false, true);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(second.etag()).isEqualTo(first.etag());
		assertThat(second.header("X-Expire-Time")).isEqualTo(first.header("X-Expire-Time"));
	}

	@Test
	void showsTheSessionAsItIsNow() {
		create(BODY, "k").ok();
		this.api.append("s", "{'author':'agent','actions':{'stateDelta':{'a':2}}}").ok();
		Answer second = create(BODY, "k").ok();
		assertThat(second.at("/events")).hasSize(2);
		assertThat(second.at("/state/a").intValue()).isEqualTo(2);
	}

	@Test
	void spacesSpellingAndThePlaceOfTheIdDoNotCount() {
		create("{'sessionId':'s','state':{'a':1.0,'b':2},'displayName':'x'}", "k").ok();
		String path = this.api.sessionPath("s");
		Answer second = this.api.http()
			.post(path, Json.of("{ 'display_name':'x', 'state':{'b':2,'a':1} }"), "Idempotency-Key", "k");
		assertThat(isReplayed(second.ok())).isTrue();
	}

	@Test
	void refusesAnotherKeyAndNoKey() {
		create(BODY, "k").ok();
		Answer other = create(BODY, "other").problem(409, "ALREADY_EXISTS");
		assertThat(other.detail()).isEqualTo("Session already exists: s");
		this.api.create(BODY).problem(409, "ALREADY_EXISTS");
	}

	@Test
	void refusesASessionThatWasCreatedWithoutAKey() {
		this.api.create(BODY).ok();
		create(BODY, "k").problem(409, "ALREADY_EXISTS");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'sessionId':'s','state':{'a':2},'events':[{'author':'user'}],'ttl':'3600s'}",
			"{'sessionId':'s','state':{'a':1},'events':[{'author':'agent'}],'ttl':'3600s'}",
			"{'sessionId':'s','state':{'a':1},'events':[{'author':'user'}],'ttl':'3601s'}", "{'sessionId':'s'}" })
	void saysThatTheSameKeyCameWithOtherContent(String body) {
		create(BODY, "k").ok();
		assertThat(create(body, "k").problem(409, "ALREADY_EXISTS").detail())
			.isEqualTo("Session already exists: s. It was created with the same Idempotency-Key, "
					+ "but not with the same content");
	}

	@Test
	void derivesTheIdFromTheKeyOfTheUser() {
		String id = create("{'state':{'a':1}}", "message-7").ok().text("/id");
		assertThat(UUID.fromString(id).version()).isEqualTo(8);
		assertThat(UUID.fromString(id).variant()).isEqualTo(2);
		Answer second = create("{'state':{'a':1}}", "message-7").ok();
		assertThat(second.text("/id")).isEqualTo(id);
		assertThat(isReplayed(second)).isTrue();
		assertThat(create("{}", "message-8").ok().text("/id")).isNotEqualTo(id);
		Api bob = this.api.as("bob");
		Answer ofBob = bob.http().post(bob.sessionsPath(), "{}", "Idempotency-Key", "message-7").ok();
		assertThat(ofBob.text("/id")).isNotEqualTo(id);
		create("{'state':{'a':2}}", "message-7").problem(409, "ALREADY_EXISTS");
	}

	@Test
	void answersARepeatedForkAsTheFirst() {
		this.api.create(BODY).ok();
		Answer first = fork("{'sessionId':'f'}", "k");
		this.api.append("s", "{'author':'user'}").ok();
		this.api.delete("s");
		Answer second = fork("{'sessionId':'f'}", "k");
		assertThat(List.of(first.status(), second.status())).containsExactly(201, 201);
		assertThat(List.of(isReplayed(first), isReplayed(second))).containsExactly(false, true);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(second.header("Location")).isEqualTo(first.header("Location"));
		fork("{'sessionId':'f'}", "other").problem(404, "SESSION_NOT_FOUND");
	}

	@Test
	void aForkOfAnotherPointOrSessionIsOtherContent() {
		this.api.create(BODY).ok();
		this.api.create("{'sessionId':'t'}").ok();
		String id = fork("{}", "k").text("/id");
		assertThat(fork("{}", "k").text("/id")).isEqualTo(id);
		assertThat(fork("{'atSeq':0}", "k").problem(409, "ALREADY_EXISTS").detail()).contains("same Idempotency-Key");
		assertThat(this.api.http()
			.post(this.api.sessionPath("t") + ":fork", "{}", "Idempotency-Key", "k")
			.problem(409, "ALREADY_EXISTS")
			.detail()).contains("same Idempotency-Key");
	}

	@Test
	void createsAnewAfterADeletionOrAnExpiry() {
		String etag = create(BODY, "k").ok().etag();
		this.api.delete("s");
		Answer second = create(BODY, "k").ok();
		assertThat(second.etag()).isNotEqualTo(etag);
		assertThat(isReplayed(second)).isFalse();
		this.jdbc.update("update sessions set expire_time = now() where app_name = ?", this.api.app());
		assertThat(isReplayed(create(BODY, "k").ok())).isFalse();
	}

	@RepeatedTest(10)
	void createsOneSessionHoweverManyRequestsComeAtOnce() throws Exception {
		List<Answer> answers = Concurrently.run(6, (number) -> create("{'state':{'a':1}}", "same"));
		assertThat(answers).allMatch((answer) -> answer.status() == 200);
		assertThat(answers.stream().map(Answer::etag).distinct()).hasSize(1);
		assertThat(answers.stream().filter((answer) -> !isReplayed(answer))).hasSize(1);
		this.api.create(BODY).ok();
		List<Answer> forks = Concurrently.run(6, (number) -> fork("{}", "same fork"));
		assertThat(forks).allMatch((answer) -> answer.status() == 201);
		assertThat(forks.stream().map(Answer::etag).distinct()).hasSize(1);
		assertThat(forks.stream().filter((answer) -> !isReplayed(answer))).hasSize(1);
	}

	@Test
	void aKeyHasUpTo255PrintableCharacters() {
		create("{}", "!".repeat(255)).ok();
		for (String key : List.of("!".repeat(256), "", "a\tb")) {
			assertThat(create("{}", key).problem(400, "INVALID_ARGUMENT").detail())
				.isEqualTo("Idempotency-Key must have 1 to 255 characters of printable ASCII");
		}
	}

}
