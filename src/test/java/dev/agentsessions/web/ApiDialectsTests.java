package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.VertexApi;

/** What one dialect writes, the other reads. */
@HttpTest
class ApiDialectsTests {

	private final VertexApi vertex;

	private final String adk;

	ApiDialectsTests(Http http) {
		this.vertex = new VertexApi(http);
		this.adk = this.vertex.adkPath("alice") + "/s1";
	}

	@Test
	void readsInAdksOwnApiWhatVertexHasWritten() {
		this.vertex.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1}}").ok();
		this.vertex.appendWith("s1",
				"'content': {'role': 'user', 'parts': [{'inline_data': {'mime_type': 'a/b', 'data': '_-8='}}]}, "
						+ "'actions': {'stateDelta': {'user:u': 2}, 'transferAgent': 'b'}, 'eventMetadata': {'branch': 'x'}");

		Answer session = this.vertex.http().get(this.adk).ok();

		assertThat(session.at("/state")).isEqualTo(Json.node("{'k': 1, 'user:u': 2}"));
		JsonNode event = session.at("/events/0");
		assertThat(event.at("/content/parts/0/inlineData/data").stringValue()).isEqualTo("/+8=");
		assertThat(event.at("/actions/transferToAgent").stringValue()).isEqualTo("b");
		assertThat(event.at("/branch").stringValue()).isEqualTo("x");
		assertThat(event.at("/timestamp").decimalValue()).isEqualByComparingTo("1767225600");
		assertThat(event.has("eventMetadata")).isFalse();
	}

	@Test
	void readsOverVertexWhatAdksOwnApiHasWritten() {
		this.vertex.http().post(this.adk, Json.of("{'state': {'k': 1}}")).ok();
		this.vertex.http()
			.post(this.adk + "/events", Json
				.of("{'id': 'e1', 'author': 'agent', 'invocation_id': 'i1', 'timestamp': 1767225600.000000001, "
						+ "'content': {'role': 'model', 'parts': [{'function_call': {'name': 'f', 'args': {'a_b': 1}}}]}, "
						+ "'longRunningToolIds': ['c'], 'usageMetadata': {'promptTokenCount': 5}, 'modelVersion': 'm', "
						+ "'actions': {'stateDelta': {'k': null}, 'transfer_to_agent': 'b', 'endOfAgent': true}}"))
			.ok();

		JsonNode event = this.vertex.event("s1");

		assertThat(event.at("/name").stringValue()).isEqualTo(this.vertex.name("s1") + "/events/e1");
		assertThat(event.at("/timestamp").stringValue()).isEqualTo("2026-01-01T00:00:00.000000001Z");
		assertThat(event.at("/content/parts/0/functionCall")).isEqualTo(Json.node("{'name': 'f', 'args': {'a_b': 1}}"));
		assertThat(event.at("/actions"))
			.isEqualTo(Json.node("{'stateDelta': {'k': null}, 'transferAgent': 'b', 'endOfAgent': true}"));
		assertThat(event.at("/eventMetadata/longRunningToolIds")).isEqualTo(Json.node("['c']"));
		assertThat(event.at("/eventMetadata/usageMetadata")).isEqualTo(Json.node("{'promptTokenCount': 5}"));
		assertThat(this.vertex.v1().event("s1").at("/actions"))
			.isEqualTo(Json.node("{'stateDelta': {'k': null}, 'transferAgent': 'b'}"));
		assertThat(this.vertex.get("s1").at("/sessionState")).isEqualTo(Json.node("{'k': null}"));
		assertThat(this.vertex.get("s1").json().has("expireTime")).isFalse();
	}

	@Test
	void keepsOffWhoHasNotTheExclusiveLease() {
		this.vertex.create("s1", "{'userId': 'alice'}").ok();
		Answer lease = this.vertex.http()
			.post(this.adk + ":acquire", Json.of("{'holder': 'worker-7', 'exclusive': true}"))
			.ok();

		String event = "{'author': 'a', 'invocationId': 'i', 'timestamp': '2026-01-01T00:00:00Z'}";
		Answer refused = VertexApi.error(this.vertex.append("s1", event), 409, "ABORTED");
		assertThat(refused.header("Retry-After")).isPresent();
		String state = Json.of("{'sessionState': {'k': 1}}");
		VertexApi.error(this.vertex.http().patch(this.vertex.sessionPath("s1") + "?updateMask=sessionState", state),
				409, "ABORTED");
		this.vertex.http().post(this.adk + "/events", "{}", "Lease", lease.at("/lease").toString()).ok();
		assertThat(this.vertex.http().delete(this.vertex.sessionPath("s1")).status()).isEqualTo(200);
	}

}
