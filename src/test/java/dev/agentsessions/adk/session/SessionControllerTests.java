package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Reads and deletes sessions over HTTP. */
@HttpTest
class SessionControllerTests {

	private final Api api;

	SessionControllerTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void answersMergedStateAndEvents() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'user:k': 2, 'app:k': 3, 'temp:k': 4}}").ok();
		this.api.append("s1", "{'id': 'e1', 'author': 'user', 'actions': {'stateDelta': {'k': 5}}}").ok();

		Answer session = this.api.get("s1").ok();

		assertThat(session.at("/state")).isEqualTo(Json.node("{'k': 5, 'user:k': 2, 'app:k': 3}"));
		assertThat(session.at("/events").findValuesAsString("id")).containsExactly("e1");
		assertThat(session.revision()).isEqualTo(1);
	}

	@Test
	void doesNotShowOneUsersSessionToAnother() {
		this.api.create("{'sessionId': 's1'}").ok();

		Answer answer = this.api.as("bob").get("s1").problem(404, "SESSION_NOT_FOUND");

		assertThat(answer.detail()).isEqualTo("Session not found");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			value = { "numRecentEvents=0 | -", "numRecentEvents=1 | e4", "numRecentEvents=2 | e3 e4",
					"numRecentEvents=9 | e1 e2 e3 e4", "afterTimestamp=2000 | e2 e4", "afterTimestamp=2000.000001 | e4",
					"afterTimestamp=1970-01-01T00:33:20Z | e2 e4", "afterTimestamp=1000&numRecentEvents=2 | e2 e4",
					"afterTimestamp=9999&numRecentEvents=2 | -" })
	void answersTheEventsAskedFor(String query, String ids) {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.append("s1", "{'id': 'e1', 'author': 'user', 'timestamp': 1000}").ok();
		this.api.append("s1", "{'id': 'e2', 'author': 'user', 'timestamp': 2000}").ok();
		this.api.append("s1", "{'id': 'e3', 'author': 'user', 'timestamp': 500}").ok();
		this.api.append("s1", "{'id': 'e4', 'author': 'user', 'timestamp': 3000}").ok();

		Answer session = this.api.get("s1", query).ok();

		assertThat(String.join(" ", session.at("/events").findValuesAsString("id")))
			.isEqualTo((ids != null) ? ids : "");
		assertThat(session.revision()).isEqualTo(4);
	}

	@Test
	void answersTheRevisionInTheBodyIfAskedFor() {
		Answer created = this.api.http()
			.post(this.api.sessionsPath() + "?includeRevision=true", Json.of("{'sessionId': 's1'}"))
			.ok();
		Answer withId = this.api.http().post(this.api.sessionPath("s2") + "?includeRevision=true", "{}").ok();
		this.api.append("s1", "{'author': 'user'}").ok();
		Answer changed = this.api.http()
			.patch(this.api.sessionPath("s1") + "?includeRevision=true", Json.of("{'displayName': 'A trip'}"))
			.ok();

		assertThat(created.at("/revision")).isEqualTo(Json.node("0"));
		assertThat(withId.at("/etag").stringValue()).isEqualTo(withId.header("ETag").orElseThrow());
		assertThat(changed.at("/etag").stringValue()).isEqualTo(changed.header("ETag").orElseThrow());
		for (String query : new String[] { "includeRevision=true", "include_revision=true&numRecentEvents=0" }) {
			Answer session = this.api.get("s1", query).ok();
			assertThat(session.at("/revision")).isEqualTo(Json.node("1"));
			assertThat(session.at("/etag").stringValue()).isEqualTo(session.header("ETag").orElseThrow());
		}
	}

	@Test
	void answersNoRevisionInTheBodyUnlessAskedFor() {
		this.api.create("{'sessionId': 's1'}").ok();

		String body = this.api.get("s1").ok().body();

		assertThat(body).doesNotContain("revision", "etag");
		assertThat(this.api.get("s1", "includeRevision=false").ok().body()).isEqualTo(body);
		this.api.get("s1", "includeRevision=perhaps").problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void deletesEventsAndStateOfTheSessionOnly() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'user:k': 2, 'app:k': 3}}").ok();
		this.api.append("s1", "{'id': 'e1', 'author': 'user'}").ok();

		Answer deleted = this.api.delete("s1");

		assertThat(deleted.status()).isEqualTo(204);
		assertThat(deleted.body()).isEmpty();
		this.api.get("s1").problem(404, "SESSION_NOT_FOUND");
		this.api.events("s1", "").problem(404, "SESSION_NOT_FOUND");
		this.api.event("s1", "e1").problem(404, "EVENT_NOT_FOUND");
		this.api.append("s1", "{'author': 'user'}").problem(404, "SESSION_NOT_FOUND");
		Answer again = this.api.create("{'sessionId': 's1'}").ok();
		assertThat(again.at("/state")).isEqualTo(Json.node("{'user:k': 2, 'app:k': 3}"));
		assertThat(again.at("/events").isEmpty()).isTrue();
		assertThat(again.revision()).isEqualTo(0);
	}

	@Test
	void deletesAMissingSessionWithoutComplaint() {
		assertThat(this.api.delete("missing").status()).isEqualTo(204);
	}

	@Test
	void doesNotDeleteOneUsersSessionForAnother() {
		this.api.create("{'sessionId': 's1'}").ok();

		assertThat(this.api.as("bob").delete("s1").status()).isEqualTo(204);

		this.api.get("s1").ok();
	}

}
