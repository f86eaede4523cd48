package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Reads and changes shared state over HTTP. */
@HttpTest
class SharedStateControllerTests {

	private final Api api;

	private final String ofApp;

	private final String ofUser;

	SharedStateControllerTests(Http http) {
		this.api = new Api(http);
		this.ofApp = this.api.appPath() + "/state";
		this.ofUser = this.api.userPath() + "/state";
	}

	@Test
	void sharedStateIsEmptyAtFirst() {
		assertThat(get(this.ofApp)).isEqualTo("{}");
		assertThat(get(this.ofUser)).isEqualTo("{}");
	}

	@Test
	void showsWhatSessionsHaveSetWithoutPrefix() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'user:k': 2, 'app:k': 3}}").ok();

		assertThat(get(this.ofApp)).isEqualTo("{\"k\":3}");
		assertThat(get(this.ofUser)).isEqualTo("{\"k\":2}");
	}

	@Test
	void mergesChangesPerKey() {
		patch(this.ofApp, "{'a': 1, 'b': {'x': 1}, 'c': 1}").ok();

		Answer changed = patch(this.ofApp, "{'b': {'y': null}, 'c': null, 'd': 'new'}").ok();

		assertThat(changed.json()).isEqualTo(Json.node("{'a': 1, 'b': {'y': null}, 'd': 'new'}"));
		assertThat(get(this.ofApp)).isEqualTo(changed.body());
		assertThat(get(this.ofUser)).isEqualTo("{}");
	}

	/** Only what a session's PATCH means by these names is refused. */
	@Test
	void keepsKeysThatAreCalledLikeFieldsAndRemovesThem() {
		patch(this.ofApp, "{'removeKeys': 'no', 'stateDelta': [1], 'state': {'a': 1}}").ok();
		assertThat(patch(this.ofApp, "{'removeKeys': null, 'stateDelta': null}").ok().body())
			.isEqualTo("{\"state\":{\"a\": 1}}");
	}

	@Test
	void sharedStateIsMergedIntoSessions() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();

		patch(this.ofApp, "{'k': 1}").ok();
		patch(this.ofUser, "{'k': 2}").ok();

		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.node("{'app:k': 1, 'user:k': 2}"));
		assertThat(this.api.as("bob").get("s1").at("/state")).isEqualTo(Json.node("{'app:k': 1}"));
		assertThat(this.api.get("s1").revision()).isEqualTo(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/merge-patch+json", "application/json; charset=utf-8" })
	void acceptsBothMediaTypes(String type) {
		Answer changed = this.api.http()
			.send("PATCH", this.ofUser, BodyPublishers.ofString("{\"k\":1}"), "Content-Type", type);

		assertThat(changed.ok().body()).isEqualTo("{\"k\":1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "app:k", "user:k", "temp:k" })
	void refusesKeysWithPrefix(String key) {
		Answer answer = patch(this.ofUser, "{'a': 1, '%s': 1}".formatted(key)).problem(400, "INVALID_ARGUMENT");

		assertThat(answer.detail()).isEqualTo(key + " must be written without prefix here");
		assertThat(get(this.ofUser)).isEqualTo("{}");
	}

	private String get(String path) {
		return this.api.http().get(path).ok().body();
	}

	private Answer patch(String path, String changes) {
		return this.api.http().patch(path, Json.of(changes));
	}

}
