package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Lists sessions over HTTP. */
@HttpTest
class SessionListTests {

	private static final Pattern NEXT = Pattern.compile("<(http://[^>]+)>; rel=\"next\"");

	private final Api api;

	SessionListTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void answersAnEmptyArrayWhereNothingIs() {
		Answer list = this.api.list("").ok();

		assertThat(list.body()).isEqualTo("[]");
		assertThat(list.header("Link")).isEmpty();
		assertThat(list.header("X-Next-Page-Token")).isEmpty();
		assertThat(appList(this.api, "").body()).isEqualTo("[]");
	}

	@Test
	void answersMergedStateButNoEvents() {
		Answer session = this.api.create("{'sessionId': 's1', 'state': {'k': 1, 'user:k': 2, 'app:k': 3}}").ok();
		this.api.append("s1", "{'author': 'user'}").ok();

		JsonNode listed = this.api.list("").ok().at("/0");

		assertThat(listed.propertyNames()).isEqualTo(session.json().propertyNames());
		assertThat(listed.at("/state")).isEqualTo(Json.node("{'k': 1, 'user:k': 2, 'app:k': 3}"));
		assertThat(listed.at("/events").isEmpty()).isTrue();
		assertThat(listed.at("/lastUpdateTime")).isEqualTo(this.api.get("s1").at("/lastUpdateTime"));
	}

	/** The link repeats what was asked for. */
	@Test
	void listWithLongQueryHasLinkToNextPage() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.create("{'sessionId': 's2'}").ok();
		assertThat(this.api.list("limit=1&other=" + "x".repeat(30_000)).ok().header("Link")).isPresent();
	}

	@Test
	void findsASessionByItsIdAlone() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 1}}").ok();
		this.api.create("{'sessionId': 's2'}").ok();
		this.api.create("{'sessionId': 'ADK_EVAL_1'}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();

		assertThat(appList(this.api, "sessionId=s2").at("/0/userId").stringValue()).isEqualTo("alice");
		assertThat(appList(this.api, "sessionId=s2").json()).hasSize(1);
		assertThat(appList(this.api, "session_id=s1").json()).hasSize(2);
		assertThat(appList(this.api, "sessionId=ADK_EVAL_1").json()).hasSize(1);
		assertThat(appList(this.api, "sessionId=s3").body()).isEqualTo("[]");
		assertThat(this.api.list("sessionId=s1").ok().json()).hasSize(1);
		assertThat(this.api.list("sessionId=s1").ok().at("/0/state/k").intValue()).isEqualTo(1);
		assertThat(this.api.as("carol").list("sessionId=s1").ok().body()).isEqualTo("[]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sessionId=", "sessionId=a/b", "sessionId=%00", "sessionid=s1" })
	void refusesWhatCanBeTheIdOfNoSession(String query) {
		this.api.list(query).problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "displayName=%00", "label=a=%00", "label=%00=a" })
	void refusesTextsThatTheDatabaseCannotHave(String query) {
		this.api.list(query).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void pageTokenOfOtherSessionIdIsRefused() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();
		String token = appList(this.api, "sessionId=s1&limit=1").header("X-Next-Page-Token").orElseThrow();
		assertThat(appList(this.api, "sessionId=s1&pageToken=" + token).json()).hasSize(1);
		this.api.http()
			.get(this.api.appPath() + "/sessions?includeEval=true&pageToken=" + token)
			.problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void leavesTheStateOutIfAsked() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 1}}").ok();

		assertThat(this.api.list("includeState=false").ok().at("/0/state").isEmpty()).isTrue();
	}

	@Test
	void answersRevisionsIfAsked() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.append("s1", "{'author': 'user'}").ok();

		JsonNode listed = this.api.list("includeRevision=true").ok().at("/0");

		assertThat(listed.at("/revision")).isEqualTo(Json.node("1"));
		assertThat(listed.at("/etag").stringValue()).isEqualTo(this.api.get("s1").header("ETag").orElseThrow());
		assertThat(appList(this.api, "includeRevision=true").at("/0")).isEqualTo(listed);
	}

	@ParameterizedTest
	@CsvSource({ "'', s3 s2 s1", "order=asc, s3 s2 s1", "order=desc, s1 s2 s3", "limit=2, s3 s2",
			"order=desc&limit=1, s1", "limit=10001, s3 s2 s1" })
	void ordersByLastUpdate(String query, String ids) {
		create("s1", "s2", "s3");
		this.api.append("s2", "{'author': 'user'}").ok();
		this.api.append("s1", "{'author': 'user'}").ok();

		assertThat(ids(this.api.list(query).ok())).isEqualTo(ids);
	}

	@ParameterizedTest
	@CsvSource({ "limit=2, s1 s2|s3 s4|s5", "limit=2&order=desc, s5 s4|s3 s2|s1", "limit=5, s1 s2 s3 s4 s5" })
	void hasTheNextPageBehindALink(String query, String pages) {
		create("s1", "s2", "s3", "s4", "s5");

		assertThat(pages(this.api.list(query))).isEqualTo(pages);
	}

	@Test
	void findsTheNextPageByItsTokenWithAnotherLimit() {
		create("s1", "s2", "s3", "s4");
		String token = this.api.list("limit=1").header("X-Next-Page-Token").orElseThrow();

		assertThat(ids(this.api.list("limit=2&pageToken=" + token))).isEqualTo("s2 s3");
		assertThat(ids(this.api.list("pageToken=" + token + "&includeState=false"))).isEqualTo("s2 s3 s4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "order=desc", "displayName=x", "label=a=b", "includeEval=true" })
	void refusesATokenOfAnotherQuery(String query) {
		create("s1", "s2");
		String token = this.api.list("limit=1").header("X-Next-Page-Token").orElseThrow();

		Answer answer = this.api.list(query + "&pageToken=" + token).problem(400, "INVALID_ARGUMENT");

		assertThat(answer.detail())
			.isEqualTo("pageToken must be one that the service has given to you for the same query");
		this.api.as("bob").list("pageToken=" + token).problem(400, "INVALID_ARGUMENT");
		appList(this.api, "pageToken=" + token).problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@CsvSource({ "displayName=Trip, s1 s2", "displayName=Nothing, ''", "label=tier=gold, s1 s3",
			"label=tier=gold&label=team=a%20%3D%20b%2Cc, s3", "label=team=a%20=%20b%2Cc, s3", "label=tier=, ''",
			"displayName=Trip&label=tier=gold, s1" })
	void findsByDisplayNameAndLabels(String query, String ids) {
		this.api.create("{'sessionId': 's1', 'displayName': 'Trip', 'labels': {'tier': 'gold'}}").ok();
		this.api.create("{'sessionId': 's2', 'displayName': 'Trip', 'labels': {'tier': 'silver'}}").ok();
		this.api.create("{'sessionId': 's3', 'labels': {'tier': 'gold', 'team': 'a = b,c'}}").ok();
		create("s4");

		assertThat(ids(this.api.list(query).ok())).isEqualTo(ids);
	}

	@Test
	void keepsTheFilterBehindTheLink() {
		for (String id : List.of("s1", "s2", "s3")) {
			this.api.create("{'sessionId': '%s', 'labels': {'a b': 'c&d=é'}}".formatted(id)).ok();
		}
		create("s4");

		assertThat(pages(this.api.list("limit=1&label=" + Api.encode("a b=c&d=é")))).isEqualTo("s1|s2|s3");
	}

	@Test
	void hidesSessionsOfAnEvaluationUnlessAskedForThem() {
		create("s1", "ADK_EVAL_1", "ADKxEVALx1");

		assertThat(ids(this.api.list("").ok())).isEqualTo("s1 ADKxEVALx1");
		assertThat(ids(this.api.list("includeEval=true").ok())).isEqualTo("s1 ADK_EVAL_1 ADKxEVALx1");
		assertThat(ids(appList(this.api, "").ok())).isEqualTo("s1 ADKxEVALx1");
		this.api.get("ADK_EVAL_1").ok();
	}

	@Test
	void listsTheSessionsOfOneUserOnly() {
		create("s1");
		this.api.as("bob").create("{'sessionId': 's2'}").ok();

		assertThat(ids(this.api.list("").ok())).isEqualTo("s1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=2", "limit=1&order=desc", "" })
	void listsAllUsersOfAnApp(String query) {
		create("s1", "s2");
		this.api.as("bob").create("{'sessionId': 's3', 'state': {'user:k': 1}}").ok();
		this.api.as("bob").create("{'sessionId': 's4'}").ok();

		boolean newestFirst = query.contains("desc");
		assertThat(pages(appList(this.api, query)).split("[ |]")).hasSize(4)
			.containsSubsequence(newestFirst ? "s2" : "s1", newestFirst ? "s1" : "s2")
			.containsSubsequence(newestFirst ? "s4" : "s3", newestFirst ? "s3" : "s4");
		assertThat(appList(this.api, "").body()).containsOnlyOnce("\"id\":\"s4\"").contains("{\"user:k\":1}");
	}

	private void create(String... ids) {
		for (String id : ids) {
			this.api.create("{'sessionId': '%s'}".formatted(id)).ok();
		}
	}

	private static Answer appList(Api api, String query) {
		return api.http().get(api.appPath() + "/sessions?" + query);
	}

	private static String ids(Answer list) {
		return String.join(" ", list.json().findValuesAsString("id"));
	}

	/** Follows the links to the end. */
	private String pages(Answer first) {
		List<String> pages = new ArrayList<>(List.of(ids(first.ok())));
		Answer page = first;
		while (page.header("Link").isPresent()) {
			Matcher next = NEXT.matcher(page.header("Link").get());
			assertThat(next.matches()).isTrue();
			URI uri = URI.create(next.group(1));
			assertThat(uri.getPort()).isEqualTo(this.api.http().port());
			page = this.api.http().get(uri.getRawPath() + "?" + uri.getRawQuery()).ok();
			pages.add(ids(page));
		}
		return String.join("|", pages);
	}

}
