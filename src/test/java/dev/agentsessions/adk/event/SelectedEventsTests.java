package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Several events are read by their ids. */
@HttpTest
class SelectedEventsTests {

	private final Api api;

	SelectedEventsTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void talks() {
		this.api.create("{'sessionId': 's1', 'events': [{'id': 'e1'}, {'id': 'e2', 'x_y': 1}, {'id': 'e3'}]}").ok();
	}

	@Test
	void selectedEventsKeepOrderOfRequest() {
		Answer selected = get("s1", "{'ids': ['e3', 'none', 'e1', 'No']}").ok();
		assertThat(selected.json().propertyNames()).containsExactly("events", "seqs", "missing");
		assertThat(selected.at("/events").findValuesAsString("id")).containsExactly("e3", "e1");
		assertThat(selected.at("/seqs")).isEqualTo(Json.node("[3,1]"));
		assertThat(selected.at("/missing")).isEqualTo(Json.node("['none','No']"));
	}

	@Test
	void selectedEventsAreReturnedAsStored() {
		assertThat(get("s1", "{'ids': ['e2']}").ok().at("/events/0")).isEqualTo(this.api.event("s1", "e2").json());
		assertThat(get("s1", "{'ids': ['no']}").ok().body())
			.isEqualTo("{\"events\":[],\"seqs\":[],\"missing\":[\"no\"]}");
	}

	/** Together they are larger than what is kept of an answer. */
	@Test
	void largeSelectedEventsAreReturnedInOrder() {
		for (int number = 1; number <= 8; number++) {
			this.api.append("s1", "{'id':'big%d','filler':'%s'}".formatted(number, "x".repeat(100_000 * number))).ok();
		}
		this.api.append("s1", "{'id':'huge','filler':'%s'}".formatted("x".repeat(1_500_000))).ok();
		String ids = "{'ids': ['big8', 'e1', 'huge', 'big1', 'no', 'big3', 'big2', 'e2', 'big7', 'big5', 'big4', 'big6']}";
		Answer selected = get("s1", ids).ok();
		assertThat(selected.at("/events").findValuesAsString("id")).containsExactly("big8", "e1", "huge", "big1",
				"big3", "big2", "e2", "big7", "big5", "big4", "big6");
		assertThat(selected.at("/seqs")).isEqualTo(Json.node("[11,1,12,4,6,5,2,10,8,7,9]"));
		assertThat(selected.at("/missing")).isEqualTo(Json.node("['no']"));
	}

	@Test
	void selectedEventsHaveLightParts() {
		this.api
			.append("s1",
					"{'id':'picture','content':{'parts':[{'inlineData':{'mimeType':'image/png','data':'%s'}}]}}"
						.formatted("A".repeat(2000)))
			.ok();
		String path = this.api.eventsPath("s1") + ":get";
		Answer light = this.api.http().post(path + "?parts=light", Json.of("{'ids': ['picture']}")).ok();
		assertThat(light.at("/events/0/content/parts/0/fileData/fileUri").stringValue()).endsWith("/parts/0");
		assertThat(light.at("/seqs")).isEqualTo(Json.node("[4]"));
		this.api.http().post(path + "?parts=no", Json.of("{'ids': ['e1']}")).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void atMostHundredEventsAreSelected() {
		assertThat(get("s1", ids(100)).ok().at("/missing")).hasSize(97);
		assertThat(get("s1", ids(101)).problem(422, "VALIDATION_FAILED").detail())
			.isEqualTo("ids must have 1 to 100 ids");
	}

	@Test
	void selectionInMissingSessionReturns404() {
		get("none", "{'ids': ['e1']}").problem(404, "SESSION_NOT_FOUND");
		this.api.http()
			.post(this.api.as("bob").eventsPath("s1") + ":get", Json.of("{'ids': ['e1']}"))
			.problem(404, "SESSION_NOT_FOUND");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "{} | 422 | ids is required", "{'ids': []} | 422 | ids must have 1 to 100 ids",
					"{'ids': null} | 422 | ids is required", "{'ids': 'e1'} | 422 | ids must be an array",
					"{'ids': [1]} | 422 | ids must be a string", "{'ids': [null]} | 422 | ids must be a string",
					"{'ids': ['e1', 'e1']} | 422 | ids must not have the same id twice",
					"{'ids': ['a/b']} | 400 | ids must not contain any of / \\ ; %",
					"{'ids': ['\\u0000']} | 400 | ids must not contain control characters or unpaired surrogates",
					"{'ids': ['']} | 400 | ids must not be blank",
					"{'eventIds': ['e1']} | 422 | eventIds is no field here; did you mean ids?",
					"{'id': 'e1'} | 422 | id is no field here; did you mean ids?" })
	void sayWhatIsWrong(String body, int status, String detail) {
		Answer refused = get("s1", body).problem(status, (status == 422) ? "VALIDATION_FAILED" : "INVALID_ARGUMENT");
		assertThat(refused.detail()).isEqualTo(detail);
	}

	private Answer get(String session, String body) {
		return this.api.http().post(this.api.eventsPath(session) + ":get", Json.of(body));
	}

	private static String ids(int count) {
		return IntStream.rangeClosed(1, count)
			.mapToObj((number) -> "'e" + number + "'")
			.collect(Collectors.joining(",", "{'ids':[", "]}"));
	}

}
