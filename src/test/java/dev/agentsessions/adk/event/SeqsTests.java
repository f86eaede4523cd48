package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

/** Every answer with events can tell their seqs, and a session is read from a seq on. */
@HttpTest
class SeqsTests {

	private final Api api;

	SeqsTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void talks() {
		this.api.create("""
				{'sessionId': 's1', 'state': {'a': 0}, 'events': [
				 {'id': 'e1', 'author': 'user', 'invocationId': 'i1', 'timestamp': 500},
				 {'id': 'e2', 'author': 'agent', 'invocationId': 'i1', 'timestamp': 100},
				 {'id': 'e3', 'author': 'user', 'invocationId': 'i2', 'timestamp': 300},
				 {'id': 'e4', 'author': 'agent', 'invocationId': 'i2', 'timestamp': 400,
				  'actions': {'stateDelta': {'a': 1}}}]}""").ok();
	}

	@Test
	void sessionHasSeqsOnlyOnRequest() {
		assertThat(this.api.get("s1").ok().json().has("seqs")).isFalse();
		assertThat(this.api.get("s1", "seqs=false").ok().json().has("seqs")).isFalse();
		assertThat(this.api.get("s1", "seqs=true").ok().json().propertyNames()).containsExactly("id", "appName",
				"userId", "state", "events", "seqs", "lastUpdateTime");
		this.api.get("s1", "seqs=maybe").problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "~~ | [1,2,3,4]", "numRecentEvents=2 | [3,4]", "numRecentEvents=0 | []",
					"afterTimestamp=400 | [1,4]", "afterTimestamp=300&numRecentEvents=2 | [3,4]",
					"afterTimestamp=600 | []", "atSeq=2 | [1,2]", "fromSeq=1 | [1,2,3,4]", "fromSeq=3 | [3,4]",
					"from_seq=4 | [4]", "fromSeq=5 | []", "fromSeq=9223372036854775807 | []",
					"fromSeq=2&numRecentEvents=2 | [3,4]", "fromSeq=4&numRecentEvents=2 | [4]",
					"fromSeq=2&afterTimestamp=400 | [4]", "fromSeq=2&atSeq=3 | [2,3]",
					"fromSeq=2&atSeq=3&numRecentEvents=1 | [3]", "fromSeq=3&atSeq=2 | []",
					"fromSeq=2&atSeq=4&afterTimestamp=400&numRecentEvents=2 | [4]", "fromSeq=3&view=context | [3,4]" })
	void areThoseOfTheEventsReadWithASession(String query, String seqs) {
		Answer session = this.api.get("s1", "seqs=true&" + query).ok();
		assertThat(session.at("/seqs")).isEqualTo(Json.node(seqs));
		assertThat(session.at("/events").findValuesAsString("id"))
			.isEqualTo(session.at("/seqs").valueStream().map((seq) -> "e" + seq.asString()).toList());
	}

	@Test
	void stateAndTagAreThoseOfTheSessionWhereverItsEventsBegin() {
		Answer whole = this.api.get("s1").ok();
		Answer end = this.api.get("s1", "fromSeq=4").ok();
		assertThat(end.etag()).isEqualTo(whole.etag());
		assertThat(end.at("/state")).isEqualTo(whole.at("/state"));
		assertThat(end.at("/lastUpdateTime")).isEqualTo(whole.at("/lastUpdateTime"));
	}

	@Test
	void contextViewHasSeqsOfItsEvents() {
		this.api.rewind("s1", "i2").ok();
		this.api.append("s1", "{'id': 'e6', 'author': 'user', 'invocationId': 'i3'}").ok();
		assertThat(this.api.get("s1", "seqs=true&view=context").ok().at("/seqs")).isEqualTo(Json.node("[1,2,6]"));
		assertThat(this.api.get("s1", "seqs=true&view=context&fromSeq=2").ok().at("/seqs"))
			.isEqualTo(Json.node("[2,6]"));
		assertThat(this.api.get("s1", "seqs=true&view=context&fromSeq=2&numRecentEvents=1").ok().at("/seqs"))
			.isEqualTo(Json.node("[6]"));
		assertThat(this.api.events("s1", "view=context").ok().at("/seqs")).isEqualTo(Json.node("[1,2,6]"));
	}

	@ParameterizedTest
	@CsvSource({ "fromSeq=0, fromSeq must be at least 1", "fromSeq=-1, fromSeq must be at least 1",
			"fromSeq=one, fromSeq must be a whole number",
			"fromSeq=9223372036854775808, fromSeq must be a whole number", "FromSeq=1, did you mean fromSeq?",
			"afterSeq=1, it has" })
	void sayWhatIsWrong(String query, String detail) {
		assertThat(this.api.get("s1", query).problem(400, "INVALID_ARGUMENT").detail()).contains(detail);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "limit=10 | [1,2,3,4]", "order=desc&limit=3 | [4,3,2]", "afterSeq=2 | [3,4]",
			"author=user | [1,3]", "afterSeq=4 | []" })
	void areInLists(String query, String seqs) {
		Answer list = this.api.events("s1", query).ok();
		assertThat(list.at("/seqs")).isEqualTo(Json.node(seqs));
		assertThat(list.json().propertyNames()).startsWith("events", "seqs");
	}

	@Test
	void batchResponseHasSeqs() {
		String batch = "{'id': 'e5'}, {'id': 'p', 'partial': true}, {'id': 'e2', 'author': 'agent', "
				+ "'invocationId': 'i1', 'timestamp': 100}, {'id': 'e6'}";
		Answer appended = this.api.batch("s1", batch).ok();
		assertThat(appended.at("/seqs")).isEqualTo(Json.node("[5,null,2,6]"));
		assertThat(appended.json().propertyNames()).startsWith("events", "seqs");
		assertThat(this.api.batch("s1", "{'id': 'p', 'partial': true}").ok().at("/seqs"))
			.isEqualTo(Json.node("[null]"));
	}

	@Test
	void eventResponseHasSeqHeader() {
		assertThat(this.api.event("s1", "e3").ok().header("X-Event-Seq")).hasValue("3");
	}

	@Test
	void seqsFollowLongHistory() {
		String events = IntStream.rangeClosed(1, 900)
			.mapToObj((n) -> "{'id':'e%d','timestamp':%d,'filler':'%s'}".formatted(n, 1 + n % 2, "x".repeat(1000)))
			.collect(Collectors.joining(","));
		this.api.create("long", "{}").ok();
		this.api.batch("long", events).ok();
		List<Integer> all = seqs("seqs=true");
		assertThat(all).isEqualTo(IntStream.rangeClosed(1, 900).boxed().toList());
		assertThat(seqs("seqs=true&afterTimestamp=2")).isEqualTo(all.stream().filter((seq) -> seq % 2 == 1).toList());
	}

	private List<Integer> seqs(String query) {
		Answer session = this.api.get("long", query).ok();
		List<Integer> seqs = session.at("/seqs").valueStream().map((seq) -> seq.intValue()).toList();
		assertThat(session.at("/events").findValuesAsString("id"))
			.isEqualTo(seqs.stream().map((seq) -> "e" + seq).toList());
		return seqs;
	}

}
