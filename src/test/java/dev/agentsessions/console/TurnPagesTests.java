package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The picture of a turn. */
@HttpTest
class TurnPagesTests {

	private final Http http;

	private final PageVisitor visitor;

	private final String app = "app-" + UUID.randomUUID();

	TurnPagesTests(Http http) {
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void showsWhatTookTheTime() {
		create("s1");
		append("s1",
				"{'author': 'user', 'invocationId': 'i', 'timestamp': 1000, 'content': {'parts': [{'text': 'To Rome.'}]}}");
		append("s1",
				"""
						{'author': 'planner', 'invocationId': 'i', 'timestamp': 1002, 'content': {'parts': [
						{'functionCall': {'id': 'c1', 'name': 'find_train'}}, {'functionCall': {'id': 'c2', 'name': 'find_hotel'}}]},
						'usageMetadata': {'totalTokenCount': 150}}""");
		append("s1",
				"""
						{'author': 'planner', 'invocationId': 'i', 'timestamp': 1008, 'content': {'parts': [
						{'functionResponse': {'id': 'c1', 'name': 'find_train', 'response': {'train': 1}}},
						{'functionResponse': {'id': 'c2', 'name': 'find_hotel', 'response': {'error': 'The hotel is full.'}}}]}}""");
		append("s1",
				"""
						{'author': 'booker', 'branch': 'planner.booker', 'invocationId': 'i', 'timestamp': 1010, 'longRunningToolIds': ['c3'],
						'content': {'parts': [{'text': 'Two seats?'}, {'functionCall': {'id': 'c3', 'name': 'book'}}]}}""");
		String page = page("s1", 1);
		assertThat(row(page, 1)).isEqualTo("user To Rome. | 0 ms | 0 ms |");
		assertThat(row(page, 2)).isEqualTo("model calls find_train · calls find_hotel | 0 ms | 2.0 s | 150");
		assertThat(row(page, 3)).isEqualTo("tool find_train | 2.0 s | 6.0 s |");
		assertThat(row(page, 4)).isEqualTo("tool find_hotel error: The hotel is full. | 2.0 s | 6.0 s |");
		assertThat(row(page, 5)).isEqualTo("model Two seats? · calls book | 8.0 s | 2.0 s |");
		assertThat(row(page, 6)).isEqualTo("wait waits for an answer to book | 10.0 s | no answer |");
		assertThat(page).contains("<dd>10.0 s</dd>", "branch <bdi>planner.booker</bdi>", "senders gave",
				"class=\"bar tool\" x=\"17.60%\" y=\"94\" width=\"52.80%\"", "class=\"bar error\"",
				"class=\"bar wait\" x=\"88.00%\" y=\"202\" width=\"12.00%\"", session("s1") + "?at=3#event-3");
		append("s1", """
				{'author': 'user', 'invocationId': 'j', 'timestamp': 1100, 'content': {'parts': [
				{'functionResponse': {'id': 'c3', 'name': 'book', 'response': {'confirmed': true}}}]}}""");
		assertThat(row(page("s1", 4), 6)).isEqualTo("wait waits for an answer to book | 10.0 s | 1 min 30 s |");
		assertThat(row(page("s1", 5), 1)).isEqualTo("user answers book | 0 ms | 0 ms |");
	}

	/** Agents beside each other begin at the same time, and the next one after both. */
	@Test
	void measuresAgentsBesideEachOther() {
		create("s1");
		append("s1", "{'author': 'user', 'invocationId': 'i', 'timestamp': 100}");
		append("s1", said("a", "all.a", 104));
		append("s1", said("b", "all.b", 107));
		append("s1", said("all", "all", 108));
		String page = page("s1", 1);
		assertThat(row(page, 2)).endsWith("| 0 ms | 4.0 s |");
		assertThat(row(page, 3)).endsWith("| 0 ms | 7.0 s |");
		assertThat(row(page, 4)).endsWith("| 7.0 s | 1.0 s |");
	}

	@Test
	void showsTheErrorOfAnEventThatAlsoAnswers() {
		create("s1");
		append("s1", "{'author': 'a', 'invocationId': 'i', 'errorCode': 'LATE', 'errorMessage': 'Too late.',"
				+ "'content': {'parts': [{'functionResponse': {'id': 'c', 'name': 'f', 'response': {}}}]}}");
		append("s1", "{'author': 'a', 'invocationId': 'i', 'content': {'parts': [{'text': '%s'}]}}"
			.formatted("word ".repeat(50)));
		String page = page("s1", 1);
		assertThat(row(page, 1)).startsWith("tool f |");
		assertThat(row(page, 2)).startsWith("model error: LATE Too late. |");
		assertThat(row(page, 3)).startsWith("model word word").contains("\u2026 |");
	}

	@Test
	void showsTheFirstRowsOfALongTurn() {
		create("s1");
		String events = IntStream.range(0, 300)
			.mapToObj((i) -> "{'author': 'a', 'invocationId': '%s', 'content': {'parts': [{'text': 'text-%d.'}]}}"
				.formatted((i < 20) ? "first" : "second", i))
			.collect(Collectors.joining(","));
		this.http.post(api("s1") + "/events:batch", Json.of("{'events': [" + events + "]}")).ok();
		assertThat(page("s1", 7)).contains("text-0.", "text-19.").doesNotContain("text-20.", "rows are shown");
		assertThat(page("s1", 21)).contains("text-20.", "text-219.", "The first 200 rows are shown")
			.doesNotContain("text-19.", "text-220.");
		assertThat(page("s1", 150)).contains("text-20.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "2", "9223372036854775807" })
	void findsNoTurnWithoutItsEvent(String at) {
		create("s1");
		append("s1", "{'author': 'user'}");
		assertThat(this.visitor.get(session("s1") + "/turn?at=" + at).status()).isEqualTo(404);
	}

	@Test
	void isOneClickFromTheSession() {
		create("s1");
		append("s1", "{'author': 'user', 'invocationId': 'i'}");
		assertThat(this.visitor.get(session("s1")).body()).contains("\"" + session("s1") + "/turn?at=1\"");
	}

	private static String said(String author, String branch, int time) {
		return "{'author': '%s', 'branch': '%s', 'invocationId': 'i', 'timestamp': %d, 'content': {'parts': [{'text': 'x'}]}}"
			.formatted(author, branch, time);
	}

	/** The cells of a row of the table, after its first one. */
	private static String row(String page, int number) {
		String row = page.split("<tr>")[number + 1].replaceFirst("(?s)</tr>.*", "");
		return row.replaceFirst("(?s).*?</td>", "")
			.replaceAll("</td>\\s*<td[^>]*>", "|")
			.replaceAll("<[^>]*>", " ")
			.replaceAll("\\s+", " ")
			.replaceAll(" ?\\| ?", " | ")
			.strip();
	}

	private String page(String id, int at) {
		Answer page = this.visitor.get(session(id) + "/turn?at=" + at);
		assertThat(page.status()).as(page.body()).isEqualTo(200);
		return page.body();
	}

	private void create(String id) {
		this.http.post(api(id), "{}").ok();
	}

	private void append(String id, String event) {
		this.http.post(api(id) + "/events", Json.of(event)).ok();
	}

	private String api(String id) {
		return "/apps/" + this.app + "/users/alice/sessions/" + id;
	}

	private String session(String id) {
		return "/console" + api(id);
	}

}
