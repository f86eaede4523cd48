package dev.agentsessions.adk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** What sessions, users and apps have spent. */
@HttpTest
@TestPropertySource(properties = { "agent-sessions.console.prices[0].model=flash",
		"agent-sessions.console.prices[0].input=0.30", "agent-sessions.console.prices[0].cached=0.075",
		"agent-sessions.console.prices[0].output=2.50", "agent-sessions.console.prices[1].model=flash-lite",
		"agent-sessions.console.prices[1].input=0.1", "agent-sessions.console.prices[1].output=0.4" })
class UsageTests {

	private static final String DAY = "2026-03-01T23:59:50Z";

	private static final String NEXT_DAY = "2026-03-02T00:00:10Z";

	private final Api api;

	private final JdbcTemplate jdbc;

	UsageTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.jdbc = jdbc;
	}

	@BeforeEach
	void create() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void addsUpTheTurnsOfASession() {
		event("s1", "i1", DAY, null, null);
		event("s1", "i1", NEXT_DAY, "flash-2",
				"{'promptTokenCount': 1000, 'cachedContentTokenCount': 400, 'candidatesTokenCount': 50, 'thoughtsTokenCount': 10, 'totalTokenCount': 1060}");
		event("s1", "i2", "2026-03-02T00:00:20Z", "other",
				"{'prompt_token_count': 7, 'tool_use_prompt_token_count': 2, 'candidates_token_count': 1}");
		Answer usage = session("s1").ok();
		assertThat(usage.at("/usage/models").toString()).isEqualTo(Json
			.of("[{'model':'flash-2','events':1,'promptTokens':1000,'cachedTokens':400,'toolUseTokens':0,'thoughtsTokens':10,'outputTokens':50,'totalTokens':1060,'cost':0.000360},"
					+ "{'model':'other','events':1,'promptTokens':7,'cachedTokens':0,'toolUseTokens':2,'thoughtsTokens':0,'outputTokens':1,'totalTokens':10}]"));
		assertThat(usage.at("/usage/totalTokens").longValue()).isEqualTo(1070);
		assertThat(usage.at("/usage/unpricedTokens").longValue()).isEqualTo(10);
		assertThat(usage.at("/usage/turns").intValue()).isEqualTo(2);
		assertThat(usage.at("/usage/seconds").decimalValue()).isEqualByComparingTo("20");
		assertThat(usage.at("/turns").findValuesAsString("invocationId")).containsExactly("i1", "i2");
		assertThat(usage.at("/turns/0/usage/totalTokens").longValue()).isEqualTo(1060);
		assertThat(usage.at("/turns/0/usage/seconds").decimalValue()).isEqualByComparingTo("20");
		assertThat(usage.at("/turns/1/seq").intValue()).isEqualTo(3);
		assertThat(usage.at("/complete").booleanValue()).isTrue();
		assertThat(usage.at("/copied").isMissingNode()).isTrue();
	}

	/** 60 % of 1000 at 0.30, 400 at 0.075, and 60 at 2.50, for a million. */
	@ParameterizedTest
	@CsvSource({ "flash-2, 0.000360", "flash-lite-001, 0.000124", "fla, ", "Flash, ", ", " })
	void calculatesCostsByTheLongestBeginningOfTheName(String model, String cost) {
		event("s1", "i1", DAY, model,
				"{'promptTokenCount': 1000, 'cachedContentTokenCount': 400, 'candidatesTokenCount': 60, 'totalTokenCount': 1060}");
		JsonNode usage = session("s1").ok().at("/usage");
		assertThat(usage.path("cost").asString(null)).isEqualTo(cost);
		assertThat(usage.path("unpricedTokens").longValue()).isEqualTo((cost != null) ? 0 : 1060);
	}

	@Test
	void tellsDaysUsersAndModelsApart() {
		event("s1", "i1", DAY, "flash", "{'totalTokenCount': 5}");
		event("s1", "i2", NEXT_DAY, "pro", "{'totalTokenCount': 7}");
		Api bob = this.api.as("bob");
		bob.create("{'sessionId': 's1'}").ok();
		bob.append("s1",
				"{'author': 'a', 'timestamp': 1, " + "'modelVersion': 'pro', 'usageMetadata': {'totalTokenCount': 11}}")
			.ok();
		store(NEXT_DAY);
		Answer days = app("by=day").ok();
		assertThat(days.at("/rows").findValuesAsString("day")).containsExactly("2026-03-01", "2026-03-02");
		assertThat(days.at("/rows/0/usage/totalTokens").longValue()).isEqualTo(5);
		assertThat(days.at("/rows/1/usage/models").findValuesAsString("totalTokens")).containsExactly("18");
		assertThat(days.at("/usage/totalTokens").longValue()).isEqualTo(23);
		assertThat(days.at("/sessions").intValue()).isEqualTo(2);
		Answer users = app("by=user").ok();
		assertThat(users.at("/rows").findValuesAsString("userId")).containsExactly("alice", "bob");
		Answer models = app("by=model").ok();
		assertThat(models.text("/rows/0/model")).isEqualTo("pro");
		assertThat(models.text("/rows/1/model")).isEqualTo("flash");
		assertThat(models.at("/rows/0/usage/totalTokens").longValue()).isEqualTo(18);
		Answer own = this.api.http().get(this.api.userPath() + "/usage?by=model").ok();
		assertThat(own.at("/usage/totalTokens").longValue()).isEqualTo(12);
	}

	@Test
	void countsTheEventsOfARange() {
		event("s1", "i1", DAY, "m", "{'totalTokenCount': 5}");
		event("s1", "i1", NEXT_DAY, "m", "{'totalTokenCount': 7}");
		assertThat(total(app("from=" + NEXT_DAY))).isEqualTo(7);
		assertThat(total(app("until=" + NEXT_DAY))).isEqualTo(5);
		assertThat(total(app("from=" + DAY + "&until=" + NEXT_DAY))).isEqualTo(5);
		assertThat(total(app("from=" + NEXT_DAY + "&until=" + NEXT_DAY))).isZero();
		assertThat(total(app("from=2026-03-02"))).isEqualTo(7);
		assertThat(total(app("from=2026-03-01&until=2026-03-02"))).isEqualTo(5);
		assertThat(total(app("from=2126-01-01T00:00:00Z"))).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "by=week", "by=turn", "by=", "from=x", "until=1e99", "pageToken=x",
			"from=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z" })
	void refusesAQueryThatIsNone(String query) {
		app(query).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void refusesUsersAsRowsOfAUser() {
		this.api.http().get(this.api.userPath() + "/usage?by=user").problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void knowsNoSessionThatIsNotThere() {
		session("s2").problem(404, "SESSION_NOT_FOUND");
		assertThat(total(this.api.http().get("/apps/unknown/usage"))).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "-5", "1.5", "1e400", "1e-3", "1e9999999999", "1e99999999999999999999", "-0.0000001",
			"'7'", "99999999999999999999999", "1000000001", "[]", "{}", "true" })
	void leavesOutACountThatIsNotPossibleAndSaysSo(String count) {
		event("s1", "i1", DAY, "m", "{'promptTokenCount': 3, 'candidatesTokenCount': 987654321}");
		event("s1", "i1", DAY, "m", "{'promptTokenCount': 4, 'totalTokenCount': 987654321}");
		event("s1", "i1", DAY, "m", "{'promptTokenCount': null, 'totalTokenCount': 1000000000}");
		// Older versions stored events with such counts
		this.jdbc.update(
				"update events set body = replace(body::text, '987654321', ?)::json "
						+ "where session_key = (select session_key from sessions where app_name = ?)",
				Json.of(count), this.api.app());
		JsonNode usage = session("s1").ok().at("/usage");
		assertThat(usage.at("/promptTokens").longValue()).isEqualTo(7);
		assertThat(usage.at("/totalTokens").longValue()).isEqualTo(1_000_000_007);
		assertThat(usage.at("/invalidEvents").intValue()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "100", "100.0", "100.000", "1e2", "1E+2", "1000e-1", "0.1e3" })
	void addsUpAWholeNumberHoweverItIsWritten(String count) {
		event("s1", "i1", DAY, "m", "{'promptTokenCount': " + count + ", 'candidatesTokenCount': -0.0}");
		JsonNode usage = session("s1").ok().at("/usage");
		assertThat(usage.at("/promptTokens").longValue()).isEqualTo(100);
		assertThat(usage.at("/invalidEvents").intValue()).isZero();
	}

	@Test
	void readsCountsBesideTextsThatTheDatabaseCannotHave() {
		this.api
			.append("s1", "{'author': 'a', 'content': {'parts': [{'text': 'a\\u0000b\\ud800 \\\\u0000'}]}, "
					+ "'modelVersion': 'm\\u00e9\\\\n', 'usageMetadata': {'totalTokenCount': 5, 'x': '\\u0000'}}")
			.ok();
		this.api.append("s1",
				"{'author': 'a', 'content': {'parts': [{'functionResponse': {'name': 'f', 'response': {'usageMetadata': {'totalTokenCount': 9}}}}]}}")
			.ok();
		Answer usage = session("s1").ok();
		assertThat(total(usage)).isEqualTo(5);
		assertThat(usage.text("/usage/models/0/model")).isEqualTo("m\u00e9\\n");
	}

	@Test
	void takesAModelWithAVeryLongNameForUnknown() {
		event("s1", "i1", DAY, "m".repeat(2000),
				"{'totalTokenCount': 5, 'x': '" + "y".repeat(20_000).substring(0, 100) + "'}");
		event("s1", "i1", DAY, "m", "{'totalTokenCount': 5, 'x': '" + "y".repeat(20_000) + "'}");
		JsonNode usage = session("s1").ok().at("/usage");
		assertThat(usage.at("/models").findValuesAsString("model")).containsExactly("m");
		assertThat(usage.at("/models/0/totalTokens").longValue()).isEqualTo(5);
		assertThat(usage.at("/invalidEvents").intValue()).isEqualTo(1);
	}

	@Test
	void countsRewoundEventsAndWhatAForkCopiesOnce() {
		event("s1", "i1", DAY, "m", "{'totalTokenCount': 5}");
		event("s1", "i2", DAY, "m", "{'totalTokenCount': 7}");
		this.api.rewind("s1", "i2").ok();
		fork("s1", "{'sessionId': 's2', 'atSeq': 2}");
		event("s2", "i3", DAY, "m", "{'totalTokenCount': 100}");
		fork("s2", "{'sessionId': 's3'}");
		assertThat(total(session("s1"))).isEqualTo(12);
		Answer fork = session("s2").ok();
		assertThat(total(fork)).isEqualTo(112);
		assertThat(fork.at("/copied/totalTokens").longValue()).isEqualTo(12);
		assertThat(fork.at("/copied/turns").longValue()).isEqualTo(2);
		assertThat(total(session("s3"))).isEqualTo(112);
		assertThat(total(app("by=day"))).isEqualTo(112);
		assertThat(total(this.api.http().get(this.api.userPath() + "/usage"))).isEqualTo(112);
	}

	/** Each event is a turn of its own, so a page is full before the events end. */
	@Test
	void pagesAddUp() {
		for (int batch = 0; batch < 4; batch++) {
			batch("s1", batch * 1000, 1000);
		}
		Answer first = session("s1").ok();
		assertThat(first.at("/complete").booleanValue()).isFalse();
		long counted = total(first);
		int turns = first.at("/turns").size();
		Answer next = first;
		while (next.at("/nextPageToken").isString()) {
			String token = next.text("/nextPageToken");
			next = this.api.http().get(this.api.sessionPath("s1") + "/usage?pageToken=" + token).ok();
			counted += total(next);
			turns += next.at("/turns").size();
		}
		assertThat(next.at("/complete").booleanValue()).isTrue();
		assertThat(counted).isEqualTo(IntStream.range(0, 4000).sum());
		assertThat(turns).isEqualTo(4000);
		app("pageToken=" + first.text("/nextPageToken")).problem(400, "INVALID_ARGUMENT");
	}

	/** The bodies have more bytes than one statement and one request read. */
	@Test
	void stopsAfterManyBytesAndContinues() {
		String text = "x".repeat(1 << 20);
		for (int number = 1; number <= 70; number++) {
			this.api
				.append("s1",
						"{'author': 'a', 'content': {'parts': [{'text': '" + text
								+ "'}]}, 'usageMetadata': {'totalTokenCount': 1}}")
				.ok();
		}
		Answer first = app("by=model").ok();
		assertThat(first.at("/complete").booleanValue()).isFalse();
		assertThat(total(first)).isBetween(64L, 69L);
		Answer second = app("by=model&pageToken=" + first.text("/nextPageToken")).ok();
		assertThat(second.at("/complete").booleanValue()).isTrue();
		assertThat(total(first) + total(second)).isEqualTo(70);
	}

	private void batch(String session, int begin, int count) {
		String events = IntStream.range(begin, begin + count)
			.mapToObj((number) -> "{'author': 'a', 'invocationId': 'i" + number
					+ "', 'usageMetadata': {'totalTokenCount': " + number + "}}")
			.collect(Collectors.joining(","));
		this.api.batch(session, events).ok();
	}

	/** As if the newest events had been stored at this time. */
	private void store(String time) {
		this.jdbc.update(
				"update events set commit_time = ?::timestamptz where commit_time > now() - interval '1 hour' "
						+ "and session_key in (select session_key from sessions where app_name = ?)",
				time, this.api.app());
	}

	private void event(String session, String invocation, String time, String model, String usage) {
		this.api
			.append(session,
					"{'author': 'a', 'invocationId': '" + invocation + "', 'timestamp': 1"
							+ ((model != null) ? ", 'modelVersion': '" + model + "'" : "")
							+ ((usage != null) ? ", 'usageMetadata': " + usage : "") + "}")
			.ok();
		store(time);
	}

	private void fork(String id, String body) {
		Answer fork = this.api.http().post(this.api.sessionPath(id) + ":fork", Json.of(body));
		assertThat(fork.status()).as(fork.body()).isEqualTo(201);
	}

	private Answer session(String id) {
		return this.api.http().get(this.api.sessionPath(id) + "/usage");
	}

	private Answer app(String query) {
		return this.api.http().get(this.api.appPath() + "/usage?" + query);
	}

	private static long total(Answer usage) {
		return usage.ok().at("/usage/totalTokens").longValue();
	}

}
