package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Reads what a model sees of a long history, over HTTP. */
@HttpTest
class ContextViewTests {

	private final Api api;

	ContextViewTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void talk() {
		this.api.create("""
				{'sessionId': 's1', 'state': {'topic': 'Kyoto'}, 'events': [
				 {'id': 'e1', 'author': 'user', 'invocationId': 'i1', 'timestamp': 100},
				 {'id': 'e2', 'author': 'agent', 'invocationId': 'i1', 'timestamp': 101},
				 {'id': 'e3', 'author': 'user', 'invocationId': 'i2', 'timestamp': 200},
				 {'id': 'e4', 'author': 'agent', 'invocationId': 'i2', 'timestamp': 201}]}""").ok();
		this.api.append("s1",
				"""
						{'id': 'sum', 'author': 'user', 'timestamp': 202, 'actions': {'compaction': {'startTimestamp': 100,
						 'endTimestamp': 101, 'compactedContent': {'role': 'model', 'parts': [{'text': 'They said hello'}]}}}}""")
			.ok();
		this.api.append("s1", "{'id': 'e5', 'author': 'user', 'invocationId': 'i3', 'timestamp': 300}").ok();
		this.api.append("s1", "{'id': 'back', 'author': 'user', 'actions': {'rewindBeforeInvocationId': 'i3'}}").ok();
		this.api.append("s1", "{'id': 'e6', 'author': 'user', 'invocationId': 'i4', 'timestamp': 400}").ok();
	}

	@ParameterizedTest
	@CsvSource({ "'', e1 e2 e3 e4 sum e5 back e6", "view=full, e1 e2 e3 e4 sum e5 back e6",
			"view=context, e3 e4 sum e6", "view=context&numRecentEvents=2, sum e6",
			"view=context&numRecentEvents=0, ''", "view=context&afterTimestamp=201, e4 sum e6",
			"view=context&afterTimestamp=201&numRecentEvents=1, e6" })
	void readsASessionWithWhatIsLeft(String query, String ids) {
		Answer answer = this.api.get("s1", query).ok();
		assertThat(ids(answer)).isEqualTo(ids);
		assertThat(answer.text("/state/topic")).isEqualTo("Kyoto");
		assertThat(answer.revision()).isEqualTo(8);
	}

	/** As in ADK: a summary that says nothing replaces its events as well. */
	@Test
	void anEmptySummaryHidesItsEvents() {
		this.api.append("s1", """
				{'id': 'empty', 'author': 'user', 'timestamp': 500, 'actions': {'compaction': {'startTimestamp': 200,
				 'endTimestamp': 201, 'compactedContent': {'role': 'model', 'parts': []}}}}""").ok();
		assertThat(ids(this.api.get("s1", "view=context").ok())).isEqualTo("sum e6 empty");
	}

	@ParameterizedTest
	@CsvSource({ "view=context, e3 e4 sum e6", "view=context&order=desc&limit=3, e6 sum e4",
			"view=context&afterSeq=4, sum e6", "view=context&author=agent, e4", "view=context&invocationId=i3, ''" })
	void listsWhatIsLeft(String query, String ids) {
		assertThat(ids(this.api.events("s1", query).ok())).isEqualTo(ids);
	}

	@Test
	void contextViewIsListedPageByPage() {
		Answer first = this.api.events("s1", "view=context&limit=3").ok();
		assertThat(ids(first)).isEqualTo("e3 e4 sum");
		String token = first.text("/nextPageToken");
		assertThat(ids(this.api.events("s1", "view=context&limit=3&pageToken=" + token).ok())).isEqualTo("e6");
		this.api.events("s1", "limit=3&pageToken=" + token).problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "view=", "view=Context", "view=prompt", "view=context&view=full" })
	void refusesAnotherView(String query) {
		assertThat(this.api.get("s1", query).problem(400, "INVALID_ARGUMENT").text("/detail")).contains("view");
		this.api.events("s1", query).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void refusesAViewInOtherLetters() {
		this.api.get("s1", "View=context").problem(400, "INVALID_ARGUMENT");
	}

	private static String ids(Answer answer) {
		return String.join(" ",
				answer.json().at("/events").valueStream().map((event) -> event.path("id").asString()).toList());
	}

}
