package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** A null in a state: a value for everybody, and what removes a key for ADK Java. */
@HttpTest
class NullStateTests {

	private static final String[] JAVA = { "User-Agent", "google-genai-sdk/0.1.0 gl-java/17.0.15" };

	private static final String[] PYTHON = { "User-Agent",
			"google-genai-sdk/2.34.0+vertex-genai-modules/2.6.0 gl-python/3.11.4" };

	private static final String REMOVED = "__ADK_SENTINEL_REMOVED__";

	private final VertexApi api;

	NullStateTests(Http http) {
		this.api = new VertexApi(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1, 'user:u': 2, 'app:a': 3, 'stays': 4}}")
			.ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "k", "user:u", "app:a" })
	void nullIsValueForPython(String key) {
		append("{'%s': null}".formatted(key), PYTHON).ok();

		assertThat(state("s1", PYTHON).has(key)).isTrue();
		assertThat(state("s1", PYTHON).get(key).isNull()).isTrue();
		assertThat(inList(PYTHON).get(key).isNull()).isTrue();
		assertThat(delta(PYTHON)).isEqualTo(Json.node("{'%s': null}".formatted(key)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "k", "user:u", "app:a" })
	void removesAKeyForAdkJava(String key) {
		append("{'%s': null, 'kept': {'n': null}}".formatted(key), JAVA).ok();

		assertThat(state("s1", PYTHON).has(key)).isFalse();
		assertThat(state("s1", PYTHON).at("/kept")).isEqualTo(Json.node("{'n': null}"));
		assertThat(delta(JAVA)).isEqualTo(Json.node("{'%s': null, 'kept': {'n': null}}".formatted(key)));
		assertThat(delta(PYTHON)).isEqualTo(Json.node("{'%s': '%s', 'kept': {'n': null}}".formatted(key, REMOVED)));
	}

	@Test
	void nullIsLeftOutForAdkJava() {
		append("{'k': null, 'user:u': null, 'app:a': null, 'kept': {'n': null}}", PYTHON).ok();

		JsonNode readable = Json.node("{'stays': 4, 'kept': {'n': null}}");
		assertThat(state("s1", JAVA)).isEqualTo(readable);
		assertThat(inList(JAVA)).isEqualTo(readable);
		assertThat(delta(JAVA).get("k").isNull()).isTrue();
	}

	@Test
	void setsNothingInANewSessionOfAdkJava() {
		Answer created = create("{'k': null, 'user:u': null, 'app:a': null, 'n': {'x': null}}", JAVA);

		assertThat(created.ok().at("/response/sessionState"))
			.isEqualTo(Json.node("{'n': {'x': null}, 'user:u': 2, 'app:a': 3}"));
		Answer operation = this.api.http()
			.send("GET", "/v1beta1/" + created.text("/name"), BodyPublishers.noBody(), JAVA);
		assertThat(operation.ok().at("/response/sessionState"))
			.isEqualTo(Json.node("{'n': {'x': null}, 'user:u': 2, 'app:a': 3}"));
	}

	@Test
	void isNotAnsweredToAdkJavaThatCreatesASession() {
		append("{'user:u': null}", PYTHON).ok();

		assertThat(create("{'k': 1}", JAVA).ok().at("/response/sessionState"))
			.isEqualTo(Json.node("{'k': 1, 'app:a': 3}"));
	}

	@Test
	void staysInAStateThatIsReplaced() {
		assertThat(replace("{'k': null, 'user:u': null}", PYTHON))
			.isEqualTo(Json.node("{'k': null, 'user:u': null, 'app:a': 3}"));
	}

	@Test
	void removesFromAStateThatAdkJavaReplaces() {
		assertThat(replace("{'k': null, 'user:u': null}", JAVA)).isEqualTo(Json.node("{'app:a': 3}"));
		assertThat(state("s1", PYTHON)).isEqualTo(Json.node("{'app:a': 3}"));
	}

	private Answer append(String delta, String[] client) {
		return this.api.append("s1",
				"{'author': 'agent', 'invocationId': 'i1', 'actions': {'stateDelta': %s}}".formatted(delta), client);
	}

	private Answer create(String state, String[] client) {
		return this.api.http()
			.post(this.api.sessionsPath() + "?sessionId=s2",
					Json.of("{'userId': 'alice', 'sessionState': %s}".formatted(state)), client);
	}

	private JsonNode replace(String state, String[] client) {
		return this.api.http()
			.patch(this.api.sessionPath("s1") + "?updateMask=sessionState",
					Json.of("{'sessionState': %s}".formatted(state)), client)
			.ok()
			.at("/sessionState");
	}

	private JsonNode state(String id, String[] client) {
		return this.api.get(id, client).ok().at("/sessionState");
	}

	private JsonNode inList(String[] client) {
		return this.api.http()
			.send("GET", this.api.sessionsPath(), BodyPublishers.noBody(), client)
			.ok()
			.at("/sessions/0/sessionState");
	}

	private JsonNode delta(String[] client) {
		return this.api.http()
			.send("GET", this.api.sessionPath("s1") + "/events", BodyPublishers.noBody(), client)
			.ok()
			.at("/sessionEvents/0/actions/stateDelta");
	}

}
