package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** A reasoning engine that is an app of another name. */
@HttpTest
@TestPropertySource(properties = "agent-sessions.vertex.apps.1234567890=travel")
class VertexAppsTests {

	private static final String NAME = "projects/p/locations/l/reasoningEngines/1234567890/sessions/s1";

	private static final String SESSION = "/v1beta1/" + NAME;

	private static final String IN_ADK = "/apps/travel/users/alice/sessions/s1";

	private final Http http;

	VertexAppsTests(Http http) {
		this.http = http;
	}

	@AfterEach
	void deleteSession() {
		this.http.delete(IN_ADK);
	}

	@Test
	void keepsTheSessionsOfAnEngineInItsApp() {
		Answer created = this.http.post(SESSION.replace("/s1", "?sessionId=s1"),
				Json.of("{'userId': 'alice', 'sessionState': {'k': 1, 'app:a': 2}}"));
		this.http.post(SESSION + ":appendEvent", Json.of("{'author': 'agent', 'invocationId': 'i1'}")).ok();

		assertThat(created.ok().text("/response/name")).isEqualTo(NAME);
		Answer session = this.http.get(IN_ADK).ok();
		assertThat(session.text("/appName")).isEqualTo("travel");
		assertThat(session.at("/state")).isEqualTo(Json.node("{'k': 1, 'app:a': 2}"));
		assertThat(session.at("/events")).hasSize(1);
		assertThat(this.http.get("/apps/1234567890/users/alice/sessions/s1").status()).isEqualTo(404);
	}

	@Test
	void showsTheSessionsOfTheAppUnderTheEngine() {
		this.http.post(IN_ADK, Json.of("{'events': [{'id': 'e1', 'author': 'agent', 'invocationId': 'i1'}]}")).ok();

		assertThat(this.http.get(SESSION).ok().text("/name")).isEqualTo(NAME);
		assertThat(VertexApi.texts(this.http.get(SESSION + "/events"), "sessionEvents", "name"))
			.isEqualTo(List.of(NAME + "/events/e1"));
		assertThat(VertexApi.texts(this.http.get(SESSION.replace("/s1", "")), "sessions", "name"))
			.containsExactly(NAME);
	}

	@Test
	void namesTheEngineInTheOperationOfACreation() {
		Answer created = this.http.post(SESSION.replace("/s1", "?sessionId=s1"), Json.of("{'userId': 'alice'}"));

		assertThat(this.http.get("/v1beta1/" + created.ok().text("/name")).ok().text("/response/name")).isEqualTo(NAME);
	}

}
