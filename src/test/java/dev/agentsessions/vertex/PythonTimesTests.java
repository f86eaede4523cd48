package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Times that ADK Python compares with each other: of events, and of their summaries. */
@HttpTest
class PythonTimesTests {

	private final VertexApi api;

	PythonTimesTests(Http http) {
		this.api = new VertexApi(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("s1");
	}

	/** The second is what Python rounds the first to. */
	@ParameterizedTest
	@CsvSource({ "1767225600.1234567, 2026-01-01T00:00:00.123457Z, 2026-01-01T00:00:00.123456Z",
			"1767225600.1234564, 2026-01-01T00:00:00.123456Z, 2026-01-01T00:00:00.123456Z",
			"1767225600.9999998, 2026-01-01T00:00:01Z, 2026-01-01T00:00:00.999999Z",
			"1767225600.123456, 2026-01-01T00:00:00.123456Z, 2026-01-01T00:00:00.123456Z",
			"1767225600.1234567, 2026-01-01T00:00:09Z, 2026-01-01T00:00:09Z",
			"1767225600123, 2026-01-01T00:00:00.123Z, 2026-01-01T00:00:00.123Z",
			"1e999999999, 2026-01-01T00:00:00.123457Z, 2026-01-01T00:00:00.123457Z" })
	void areCutToWhatTheRawEventSays(String raw, String sent, String answered) {
		this.api
			.append("s1",
					"{'author': 'a', 'invocationId': 'i', 'timestamp': '%s', 'rawEvent': {'timestamp': %s}}"
						.formatted(sent, raw))
			.ok();

		assertThat(this.api.event("s1").at("/timestamp").stringValue()).isEqualTo(answered);
		assertThat(this.api.event("s1").at("/rawEvent/timestamp").toString()).isNotEmpty();
	}

	@Test
	void ofASummaryAreThoseOfItsEvents() {
		String compaction = "{'start%1$s': 1767225600.1234567, 'end%1$s': 1767225601.7654329, 'compacted%2$s': {'parts': []}}";
		this.api
			.append("s1",
					"{'author': 'a', 'invocationId': 'i', 'timestamp': '2026-01-01T00:00:05Z', 'eventMetadata': "
							+ "{'customMetadata': {'_compaction': " + compaction.formatted("_timestamp", "_content")
							+ "}}, 'rawEvent': " + "{'actions': {'compaction': "
							+ compaction.formatted("Timestamp", "Content") + "}}}")
			.ok();

		JsonNode cut = Json.node(
				"{'startTimestamp': 1767225600.123456, 'endTimestamp': 1767225601.765432, 'compactedContent': {'parts': []}}");
		assertThat(this.api.event("s1").at("/rawEvent/actions/compaction")).isEqualTo(cut);
		assertThat(this.api.event("s1").at("/eventMetadata/customMetadata/_compaction")).isEqualTo(cut);
	}

	@Test
	void areFoundByWhatPythonRoundsThemTo() {
		this.api
			.append("s1",
					"{'author': 'a', 'timestamp': '2026-01-01T00:00:00.123457Z', 'rawEvent': "
							+ "{'timestamp': 1767225600.1234567}}")
			.ok();

		assertThat(
				this.api.events("s1", "filter", "timestamp>=\"2026-01-01T00:00:00.123457+00:00\"").at("/sessionEvents"))
			.hasSize(1);
		assertThat(
				this.api.events("s1", "filter", "timestamp>=\"2026-01-01T00:00:00.123456+00:00\"").at("/sessionEvents"))
			.hasSize(1);
	}

	@Test
	void leavesOutWhatPythonForbidsInTheRawCopy() {
		this.api
			.append("s1", "{'author': 'a', 'rawEvent': {'actions': {'deletedArtifactIds': ['f'], 'stateDelta': {}}}}")
			.ok();

		assertThat(this.api.event("s1").at("/rawEvent/actions")).isEqualTo(Json.node("{'stateDelta': {}}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'author': 'a'}", "{'author': 'a', 'invocationId': null}",
			"{'author': 'a', 'invocationId': ''}" })
	void acceptsAnEventWithoutAnInvocation(String event) {
		assertThat(this.api.append("s1", event).ok().body()).isEqualTo("{}");

		assertThat(this.api.event("s1").at("/invocationId").stringValue()).isEmpty();
	}

}
