package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Listing sessions over the Vertex AI API. */
@HttpTest
class VertexSessionListTests {

	private final VertexApi api;

	VertexSessionListTests(Http http) {
		this.api = new VertexApi(http);
	}

	@Test
	void listsAllSessionsWithTheirMergedStateNewestFirst() {
		this.api.create("s1", "{'userId': 'alice', 'sessionState': {'k': 1, 'user:u': 2}}").ok();
		this.api.create("s2", "{'userId': 'alice', 'sessionState': {'app:a': 3}}").ok();

		Answer list = this.api.list();

		assertThat(VertexApi.texts(list, "sessions", "name")).containsExactly(this.api.name("s2"), this.api.name("s1"));
		assertThat(list.at("/sessions/1/sessionState")).isEqualTo(Json.node("{'k': 1, 'app:a': 3, 'user:u': 2}"));
		assertThat(list.json().has("nextPageToken")).isFalse();
	}

	@Test
	void answersAnEmptyListWhereNothingIs() {
		assertThat(this.api.list().ok().body()).isEqualTo("{\"sessions\":[]}");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', quoteCharacter = '\0',
			value = { "user_id=\"alice\" | alice", "userId=\"alice\" | alice", "user_id=alice | alice",
					"user_id=u \"1\" é&+ | u \"1\" é&+", "user_id=\"u \\\"1\\\" é&+\" | u \"1\" é&+",
					"userId=\"u \"1\" é&+\" | u \"1\" é&+", "user_id=\"u \\u00221\\u0022 \\u00e9&+\" | u \"1\" é&+" })
	void findsTheSessionsOfAUserHoweverTheFilterIsWritten(String filter, String user) {
		this.api.create("s1", "{'userId': 'alice'}").ok();
		this.api.create("s2", "{'userId': 'u \\\"1\\\" é&+'}").ok();

		assertThat(VertexApi.texts(this.api.list("filter", filter), "sessions", "userId")).containsExactly(user);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user_id=alic", "user_id=alice ", "user_id=\"'alice'\"", "user_id=\"*\"", "user_id=\"~\"",
			"user_id=\"x\\\" OR user_id=\\\"alice\"", "user_id=\"x OR user_id=alice\"", "user_id=\"Tom\" and Alice\"" })
	void takesTheValueOfAFilterAsAWhole(String filter) {
		this.api.create("s1");

		assertThat(VertexApi.texts(this.api.list("filter", filter), "sessions", "userId")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "user_id=\"\" OR user_id=~\"x\"", "user_id=\"alice\" OR user_id=\"bob\"",
			"user_id=\"alice\" or userId=\"bob\"", "user_id=\"alice\" AND labels.a=\"b\"",
			"user_id=\"alice\" display_name=\"b\"", "display_name=\"b\"  AND NOT (user_id=\"alice\")",
			"user_id=alice OR user_id=bob", "user_id='alice'", "user_id=*", "user_id=~\"a\"", "user_id==\"alice\"",
			"user_id=(\"alice\" OR \"bob\")", "user_id!=\"alice\"", "user_id:\"alice\"", "(user_id=\"alice\")",
			"user_id=\"alice\" AND create_time > \"2026-01-01T00:00:00Z\"" })
	void refusesAFilterThatItCannotRead(String filter) {
		assertThat(VertexApi.error(this.api.list("filter", filter), 400, "INVALID_ARGUMENT").text("/error/message"))
			.contains("one condition: user_id=\"...\"");
	}

	@Test
	void findsSessionsByNameAndByLabel() {
		this.api.create("s1", "{'userId': 'alice', 'displayName': 'Trip', 'labels': {'tier': 'gold'}}").ok();
		this.api.create("s2");

		for (String filter : new String[] { "display_name=\"Trip\"", "displayName=Trip", "labels.tier=\"gold\"" }) {
			assertThat(VertexApi.texts(this.api.list("filter", filter), "sessions", "name"))
				.containsExactly(this.api.name("s1"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "filter, nonsense", "filter, color=\"red\"", "orderBy, name", "orderBy, create_time down",
			"orderBy, user_id desc", "orderBy, 'create_time, update_time'", "pageSize, -1", "pageSize, many",
			"pageToken, nonsense" })
	void refusesParametersThatItDoesNotKnow(String name, String value) {
		VertexApi.error(this.api.list(name, value), 400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "display_name=\"\\u0000\"", "labels.a=\"\\u0000\"", "labels.a=\"\\ud800\"",
			"labels.\u0000=\"a\"", "user_id=\"\\u0000\"" })
	void refusesTextsThatTheDatabaseCannotHave(String filter) {
		VertexApi.error(this.api.list("filter", filter), 400, "INVALID_ARGUMENT");
	}

	@Test
	void listsPageAfterPageInBothOrders() {
		for (String id : new String[] { "a", "b", "c", "d", "e" }) {
			this.api.create(id);
		}

		assertThat(pages("user_id=\"alice\"", "")).containsExactly(List.of("e", "d"), List.of("c", "b"), List.of("a"));
		assertThat(pages("", "update_time")).containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
		assertThat(this.api.list("orderBy", "updateTime desc", "pageSize", "0").ok().at("/sessions")).hasSize(5);
	}

	@ParameterizedTest
	@CsvSource({ "create_time, a b c d", "createTime desc, d c b a", "update_time, b c d a", "updateTime desc, a d c b",
			"' create_time  desc ', d c b a", "'', a d c b" })
	void listsAllUsersInTheOrderThatIsAskedFor(String orderBy, String expected) {
		for (String id : new String[] { "a", "b", "c", "d" }) {
			this.api.create(id, "{'userId': 'user of %s'}".formatted(id)).ok();
		}
		this.api.appendAt("a", "2026-01-01T00:00:00Z");

		assertThat(pages("", orderBy).stream().flatMap(List::stream)).containsExactly(expected.split(" "));
	}

	@Test
	void refusesAPageTokenOfAnotherOrder() {
		this.api.create("a");
		this.api.create("b");
		String token = this.api.list("pageSize", "1", "orderBy", "create_time").ok().text("/nextPageToken");

		for (String orderBy : new String[] { "", "create_time desc", "update_time" }) {
			VertexApi.error(this.api.list("pageToken", token, "orderBy", orderBy), 400, "INVALID_ARGUMENT");
		}
		this.api.list("pageToken", token, "orderBy", "createTime").ok();
	}

	private List<List<String>> pages(String filter, String orderBy) {
		List<List<String>> pages = new ArrayList<>();
		String token = "";
		do {
			Answer page = this.api.list("pageSize", "2", "filter", filter, "orderBy", orderBy, "pageToken", token);
			pages.add(VertexApi.texts(page, "sessions", "name")
				.stream()
				.map((name) -> name.substring(name.lastIndexOf('/') + 1))
				.toList());
			token = page.json().has("nextPageToken") ? page.text("/nextPageToken") : "";
			assertThat(token).matches("[A-Za-z0-9_-]*");
		}
		while (!token.isEmpty());
		return pages;
	}

}
