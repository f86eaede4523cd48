package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Creating, reading, changing and deleting sessions over the Vertex AI API. */
@HttpTest
class VertexSessionControllerTests {

	private static final String JAVA = "google-genai-sdk/0.1.0 gl-java/17.0.15";

	private final VertexApi api;

	VertexSessionControllerTests(Http http) {
		this.api = new VertexApi(http);
	}

	@Test
	void answersACreationAsAnOperationThatIsDone() {
		Answer answer = this.api
			.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1, 'app:a': 'x', 'temp:t': 2}}")
			.ok();

		assertThat(answer.at("/done").booleanValue()).isTrue();
		assertThat(answer.text("/name")).startsWith(this.api.name("s1") + "/operations/");
		assertThat(answer.text("/metadata/@type"))
			.isEqualTo("type.googleapis.com/google.cloud.aiplatform.v1beta1.CreateSessionOperationMetadata");
		assertThat(answer.text("/response/@type"))
			.isEqualTo("type.googleapis.com/google.cloud.aiplatform.v1beta1.Session");
		assertThat(answer.text("/response/name")).isEqualTo(this.api.name("s1"));
		assertThat(answer.text("/response/userId")).isEqualTo("alice");
		assertThat(answer.at("/response/sessionState")).isEqualTo(Json.node("{'k': 1, 'app:a': 'x'}"));
		assertThat(Instant.parse(answer.text("/response/updateTime"))).isNotNull();
	}

	@Test
	void namesTheOperationInTheOtherVersionAsAdkRustWantsIt() {
		Answer answer = this.api.v1().create("s1", "{'userId': 'alice'}").ok();

		assertThat(answer.text("/name")).startsWith("projects/my-project/locations/us-central1/operations/");
		assertThat(answer.text("/response/@type")).isEqualTo("type.googleapis.com/google.cloud.aiplatform.v1.Session");
		Answer sdk = this.api.http()
			.post(this.api.v1().sessionsPath(), "{\"userId\":\"alice\"}", "User-Agent",
					"google-genai-sdk/2.0 gl-python/3");
		assertThat(sdk.ok().text("/name")).contains("/sessions/");
	}

	@Test
	void answersTheOperationUnderAllThreeNames() {
		String name = this.api.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1}}").ok().text("/name");
		String id = name.substring(name.lastIndexOf('/') + 1);

		for (String path : new String[] { "/v1beta1/" + name, this.api.placePath() + "/operations/" + id,
				this.api.placePath() + "/reasoningEngines/" + this.api.engine() + "/operations/" + id }) {
			Answer operation = this.api.http().get(path).ok();
			assertThat(operation.text("/name")).isEqualTo(path.substring("/v1beta1/".length()));
			assertThat(operation.at("/done").booleanValue()).isTrue();
			assertThat(operation.at("/response/sessionState")).isEqualTo(Json.node("{'k': 1}"));
		}
		VertexApi.error(this.api.http().get(this.api.placePath() + "/operations/unknown"), 404, "NOT_FOUND");
	}

	@Test
	void readsASession() {
		this.api.create("s1", "{'userId': 'u \\\"1\\\" é&+', 'displayName': 'Trip', 'labels': {'tier': 'gold'}}").ok();

		Answer session = this.api.get("s1").ok();
		assertThat(session.text("/name")).isEqualTo(this.api.name("s1"));
		assertThat(session.text("/userId")).isEqualTo("u \"1\" é&+");
		assertThat(session.at("/sessionState")).isEqualTo(Json.node("{}"));
		assertThat(session.text("/displayName")).isEqualTo("Trip");
		assertThat(session.at("/labels")).isEqualTo(Json.node("{'tier': 'gold'}"));
		Instant created = Instant.parse(session.text("/createTime"));
		assertThat(Instant.parse(session.text("/expireTime"))).isBetween(created.plus(364, ChronoUnit.DAYS),
				created.plus(366, ChronoUnit.DAYS));
	}

	@Test
	void keepsANullInTheInitialState() {
		this.api.create("s1", "{'userId': 'alice', 'sessionState': {'user:u': 1, 'app:a': 2}}").ok();

		Answer second = this.api.create("s2",
				"{'userId': 'alice', 'sessionState': {'k': null, 'user:u': null, 'app:a': null, 'n': {'x': null}}}");

		assertThat(second.ok().at("/response/sessionState"))
			.isEqualTo(Json.node("{'k': null, 'n': {'x': null}, 'user:u': null, 'app:a': null}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/html", "nonsense" })
	void anErrorIsJsonWhateverIsAccepted(String accept) {
		Answer answer = this.api.http().post(this.api.sessionsPath(), "{\"session_state\":1}", "Accept", accept);

		assertThat(answer.status()).isBetween(400, 406);
		assertThat(answer.text("/error/status")).isEqualTo("INVALID_ARGUMENT");
		Answer missing = this.api.http()
			.send("GET", this.api.sessionsPath() + "/none", BodyPublishers.noBody(), "Accept", accept);
		assertThat(missing.status()).isEqualTo(404);
		assertThat(missing.text("/error/status")).isEqualTo("NOT_FOUND");
	}

	@Test
	void makesUpAnIdThatAllClientsAccept() {
		Answer answer = this.api.http()
			.post(this.api.sessionsPath(), "{\"user_id\":\"alice\",\"session_state\":{\"k\":1}}");

		String name = answer.ok().text("/response/name");
		assertThat(name.substring(name.lastIndexOf('/') + 1)).matches("[a-z0-9-]{36}");
		assertThat(answer.at("/response/sessionState")).isEqualTo(Json.node("{'k': 1}"));
		assertThat(this.api.create("", "{'userId': 'alice'}").ok().text("/response/name")).isNotEqualTo(name);
	}

	@Test
	void unwrapsWhatOldRustClientsSend() {
		Answer answer = this.api.http()
			.post(this.api.sessionsPath(), "{\"session\":{\"userId\":\"alice\",\"sessionState\":{\"k\":1}}}");

		assertThat(answer.ok().at("/response/sessionState")).isEqualTo(Json.node("{'k': 1}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a%2Fb", "%FF", "%00" })
	void refusesInItsOwnFormatWhatTomcatRefuses(String id) {
		Answer refused = this.api.http().get(this.api.sessionPath(id));

		VertexApi.error(refused, 400, "INVALID_ARGUMENT");
		assertThat(refused.header("Content-Type")).hasValue("application/json");
	}

	@Test
	void refusesAnIdThatIsTakenInTheEngineByAnyUser() {
		this.api.create("s1");

		VertexApi.error(this.api.create("s1", "{'userId': 'alice'}"), 409, "ALREADY_EXISTS");
		VertexApi.error(this.api.create("s1", "{'userId': 'bob'}"), 409, "ALREADY_EXISTS");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'userId': ''}", "{'userId': 5}", "{'userId': 'a', 'sessionState': []}",
			"{'userId': 'a', 'ttl': '60s', 'expireTime': '2999-01-01T00:00:00Z'}", "{'userId': 'a', 'ttl': '0s'}",
			"{'userId': 'a', 'expireTime': '2001-01-01T00:00:00Z'}", "{'userId': 'a', 'labels': {'a': 1}}",
			"{'session': null}", "{'session': 1}", "null", "[]", "{" })
	void refusesWhatIsNotASession(String body) {
		VertexApi.error(this.api.create("s1", body), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.api.get("s1"), 404, "NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a.b", "%C3%A9", "a%20b", "a:b" })
	void refusesSessionIdsThatCannotStandInANameOfTheProtocol(String id) {
		VertexApi.error(this.api.create(id, "{'userId': 'alice'}"), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.api.get(id), 404, "NOT_FOUND");
	}

	@Test
	void keepsASessionAsLongAsItWasToldTo() {
		this.api.create("s1", "{'userId': 'alice', 'expireTime': '2999-01-01T00:00:00.123456789Z'}").ok();

		assertThat(this.api.get("s1").text("/expireTime")).isEqualTo("2999-01-01T00:00:00.123456Z");
		this.api.create("s3", "{'userId': 'alice', 'expireTime': {'seconds': '32472144000', 'nanos': 1000}}").ok();
		assertThat(this.api.get("s3").text("/expireTime")).isEqualTo("2999-01-01T00:00:00.000001Z");
		Answer ttl = this.api.create("s2", "{'userId': 'alice', 'ttl': '86400.5s'}").ok();
		Instant created = Instant.parse(ttl.text("/response/createTime"));
		assertThat(Instant.parse(ttl.text("/response/expireTime"))).isBetween(created.plusSeconds(86_000),
				created.plusSeconds(87_000));
	}

	@Test
	void deletesASessionButNotWhatItShares() {
		this.api.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1, 'user:u': 2, 'app:a': 3}}").ok();

		Answer answer = this.api.http().send("DELETE", this.api.sessionPath("s1"), BodyPublishers.ofString("{}")).ok();
		assertThat(answer.at("/done").booleanValue()).isTrue();
		assertThat(answer.text("/name")).startsWith("projects/my-project/locations/us-central1/operations/");
		assertThat(answer.at("/response"))
			.isEqualTo(Json.node("{'@type': 'type.googleapis.com/google.protobuf.Empty'}"));
		assertThat(this.api.http().get("/v1beta1/" + answer.text("/name")).ok().at("/response"))
			.isEqualTo(answer.at("/response"));

		VertexApi.error(this.api.delete("s1"), 404, "NOT_FOUND");
		this.api.create("s1");
		assertThat(this.api.get("s1").at("/sessionState")).isEqualTo(Json.node("{'user:u': 2, 'app:a': 3}"));
	}

	@Test
	void changesWhatAMaskNames() {
		this.api
			.create("s1", "{'userId': 'alice', 'sessionState': {'a': 1, 'b': 2, 'user:u': 3}, 'displayName': 'Trip'}")
			.ok();

		Answer changed = this.api.http()
			.patch(this.api.sessionPath("s1") + "?updateMask=display_name%2CsessionState",
					Json.of("{'displayName': 'Tour', 'sessionState': {'b': 4, 'app:c': 5}, 'labels': {'x': 'y'}}"))
			.ok();

		assertThat(changed.text("/displayName")).isEqualTo("Tour");
		assertThat(changed.at("/sessionState")).isEqualTo(Json.node("{'b': 4, 'app:c': 5, 'user:u': 3}"));
		assertThat(changed.json().has("labels")).isFalse();
	}

	@Test
	void changesWhatIsInTheBodyWithoutAMask() {
		this.api.create("s1", "{'userId': 'alice', 'displayName': 'Trip'}").ok();

		Answer changed = this.api.http()
			.patch(this.api.sessionPath("s1"), Json.of("{'labels': {'x': 'y'}, 'userId': 'alice'}"))
			.ok();

		assertThat(changed.at("/labels")).isEqualTo(Json.node("{'x': 'y'}"));
		assertThat(changed.text("/displayName")).isEqualTo("Trip");
		VertexApi.error(this.api.http().patch(this.api.sessionPath("s1"), "{\"userId\":\"bob\"}"), 400,
				"INVALID_ARGUMENT");
		VertexApi.error(this.api.http().patch(this.api.sessionPath("none"), "{\"displayName\":\"x\"}"), 404,
				"NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "{'session': null}", "{'session': 1}", "{'displayName': 'x', 'userId': {}}", "[]", "null" })
	void refusesWhatIsNotAChange(String body) {
		this.api.create("s1");

		VertexApi.error(this.api.http().patch(this.api.sessionPath("s1"), Json.of(body)), 400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "expireTime", "ttl", "expire_time,display_name", "expireTime,sessionState" })
	void keepsASessionForGoodIfAMaskNamesAnEndThatIsNotThere(String mask) {
		this.api.create("s1", "{'userId': 'alice', 'ttl': '3600s'}").ok();

		Answer changed = this.api.http().patch(this.api.sessionPath("s1") + "?updateMask=" + mask, "{}");

		assertThat(changed.ok().json().has("expireTime")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?updateMask=expireTime", "?updateMask=ttl", "" })
	void movesTheEndHoweverItIsSaidAndNamed(String mask) {
		this.api.create("s1");

		Answer changed = this.api.http()
			.patch(this.api.sessionPath("s1") + mask, Json.of("{'expireTime': '2999-01-01T00:00:00Z'}"));

		assertThat(changed.ok().text("/expireTime")).isEqualTo("2999-01-01T00:00:00Z");
	}

	@Test
	void doesNotGuessWhoseSessionIsMeant() {
		this.api.http().post(this.api.adkPath("alice") + "/s1", "{}").ok();
		this.api.http().post(this.api.adkPath("bob") + "/s1", "{}").ok();

		VertexApi.error(this.api.get("s1"), 400, "FAILED_PRECONDITION");
		VertexApi.error(this.api.delete("s1"), 400, "FAILED_PRECONDITION");
		VertexApi.error(this.api.events("s1"), 400, "FAILED_PRECONDITION");
		VertexApi.error(this.api.append("s1", "{'author': 'a', 'invocationId': 'i'}"), 400, "FAILED_PRECONDITION");
		VertexApi.error(this.api.http().patch(this.api.sessionPath("s1"), "{\"displayName\":\"x\"}"), 400,
				"FAILED_PRECONDITION");
	}

	@Test
	void answersAdkJavaWithAnEmptyBodyIfThereIsNoSuchSession() {
		Answer answer = this.api.get("none", "User-Agent", JAVA);

		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.body()).isEmpty();
		VertexApi.error(this.api.get("none"), 404, "NOT_FOUND");
	}

	@Test
	void understandsPathsInExpressMode() {
		String express = "/v1beta1/reasoningEngines/" + this.api.engine() + "/sessions";

		Answer created = this.api.http()
			.post(express + "?sessionId=s1", "{\"userId\":\"alice\"}", "x-goog-api-key", "k")
			.ok();

		String name = "projects/local/locations/local/reasoningEngines/" + this.api.engine() + "/sessions/s1";
		assertThat(created.text("/response/name")).isEqualTo(name);
		assertThat(this.api.http().get("/v1beta1/" + name).ok().text("/name")).isEqualTo(name);
		assertThat(this.api.http().get(express + "/s1").ok().text("/name")).isEqualTo(name);
		this.api.http().get(express + "/s1/events").ok();
		this.api.http().get("/v1beta1/" + created.text("/name")).ok();
	}

	@Test
	void takesSeveralSlashesForOne() {
		this.api.create("s1");

		this.api.http().get("/" + this.api.sessionPath("s1")).ok();
		this.api.http().get(this.api.sessionPath("s1").replace("/sessions", "///sessions")).ok();
		this.api.http()
			.post("/" + this.api.sessionPath("s1") + ":appendEvent", Json.of("{'author': 'a', 'invocationId': 'i'}"))
			.ok();
	}

	@Test
	void answersPathsThatDoNotExistInItsOwnWay() {
		VertexApi.error(this.api.http().get(this.api.placePath() + "/models"), 404, "NOT_FOUND");
		VertexApi.error(this.api.http().send("PUT", this.api.sessionPath("s1"), BodyPublishers.noBody()), 404,
				"NOT_FOUND");
	}

}
