package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.OlderVersion;

/** What the pages say about tokens, durations and costs. */
@HttpTest
class UsagePagesTests {

	private final Http http;

	private final PageVisitor visitor;

	private final JdbcTemplate jdbc;

	private final String app = "app-" + UUID.randomUUID();

	UsagePagesTests(Http http, JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@BeforeEach
	void create() {
		assertThat(this.http.post(api("s1"), "{}").status()).isEqualTo(200);
	}

	/** The page shows the last 50 of 120 events, and the turn has 100. */
	@Test
	void aTurnThatTheWindowCutsShowsItsWholeSum() {
		append(0, 20, "i1", 1);
		append(20, 100, "i2", 1000);
		append(120, 20, "i3", 1);
		assertThat(page(session("s1"))).contains(">100000 tokens</span>", ">20 tokens</span>");
		assertThat(page(session("s1") + "?at=119")).contains(">99000 tokens</span>");
		assertThat(page(session("s1") + "?at=60")).contains(">20 tokens</span>", ">40000 tokens</span>");
		assertThat(page(session("s1") + "?at=25")).contains(">20 tokens</span>", ">5000 tokens</span>");
	}

	@Test
	void eventsWithoutAnInvocationAreNoTurnWithABeginning() {
		append(0, 60, "", 1);
		assertThat(page(session("s1"))).contains(">50 tokens in the events shown</span>");
		assertThat(page(session("s1") + "?at=50")).contains(">50 tokens</span>");
	}

	@Test
	void addsUpASessionByTurnAndByModel() {
		append(0, 3, "i1", 1000);
		append(3, 1, "i2", 5);
		assertThat(page(session("s1"))).contains("href=\"" + session("s1") + "/usage\"");
		assertThat(page(session("s1") + "/usage"))
			.contains("<span>3,005</span>", ">i1</bdi>", ">m-1</bdi>", session("s1") + "?at=1#event-1",
					session("s1") + "?at=4#event-4", api("s1") + "/usage")
			.doesNotContain("Cost", "part only");
	}

	/** Two clicks from the app: usage, and a day. */
	@Test
	void leadsFromTheAppToTheUsersOfADay() {
		append(0, 1, "i1", 1234);
		String appPage = "/console/apps/" + this.app;
		assertThat(page(appPage)).contains("href=\"" + appPage + "/usage\"");
		String days = page(appPage + "/usage");
		String today = days.substring(days.indexOf("name=\"to\" value=\"") + 17).substring(0, 10);
		assertThat(days).contains("data-label=\"Total\">1,234</td>", ">" + today + "</bdi>");
		assertThat(page(appPage + "/usage?from=" + today + "&to=" + today + "&by=user")).contains(
				"data-label=\"Total\">1,234</td>",
				"href=\"" + appPage + "/users/alice/usage?from=" + today + "&amp;to=" + today + "\"");
		assertThat(page(appPage + "/users/alice")).contains("href=\"" + appPage + "/users/alice/usage\"");
		assertThat(page(appPage + "/users/alice/usage?by=model")).contains("data-label=\"Total\">1,234</td>");
		assertThat(page(appPage + "/usage?from=2020-01-01&to=2020-01-02")).contains("There are no events");
		assertThat(page(appPage + "/usage?from=&to=")).contains("data-label=\"Total\">1,234</td>");
	}

	/** Two models on the older day, and one of two turns with an error. */
	@Test
	void drawsWhatHappenedByDay() {
		send("{'author': 'user', 'invocationId': 'i1'}");
		send("{'author': 'a', 'invocationId': 'i1', 'modelVersion': '<b>', 'usageMetadata': {'totalTokenCount': 300},"
				+ " 'branch': '\\u0000', 'content': {'parts': [{'functionCall': {'id': 'c', 'name': '\\u003ci>'}}]}}");
		send("{'author': 'a', 'invocationId': 'i1', 'content': {'parts': [{'functionResponse': {'id': 'c',"
				+ " 'name': '<i>', 'response': {'error': 'full'}}}]}}");
		send("{'author': 'a', 'invocationId': 'i2', 'modelVersion': 'm', 'usageMetadata': {'totalTokenCount': 100}}");
		this.jdbc.update("update events set commit_time = timestamptz '2026-03-01T12:00:00Z' + seq * interval '2 s' "
				+ "where session_key in (select session_key from sessions where app_name = ?)", this.app);
		append(4, 1, "i3", 200);
		String page = page("/console/apps/" + this.app + "/usage?from=&to=");
		assertThat(chart(page, "Tokens by day")).contains("&lt;b&gt;", "<title>m-1</title>",
				"class=\"bar agent-0\" x=\"0.00%\" y=\"58\" width=\"75.00%\"",
				"class=\"bar agent-2\" x=\"75.00%\" y=\"58\" width=\"25.00%\"", "data-label=\"All\">400</td>",
				"/usage?from=2026-03-01&amp;to=2026-03-01&amp;by=user");
		assertThat(chart(page, "Turns with an error by day")).contains("50.0 % of 2", "0.0 % of 1",
				"data-label=\"With an error\">1</td>", "class=\"bar error\" x=\"0.00%\" y=\"58\" width=\"50.00%\"");
		assertThat(chart(page, "Calls by tool")).contains("1, 1 failed", "&lt;i&gt;",
				"href=\"/console/apps/" + this.app + "?tool=%3Ci%3E\"");
		assertThat(chart(page, "Durations of models and tools"))
			.contains("2.0 s · 2.0 s", "data-label=\"Kind\">model</td>", "data-label=\"Kind\">tool</td>")
			.doesNotContain("href");
		assertThat(chart(page, "Slowest turns"))
			.contains("2026-03-01 12:00:02 of alice", "data-label=\"Took\">4.0 s</td>",
					"href=\"" + session("s1") + "/turn?at=1\"",
					"class=\"bar error\" x=\"0.00%\" y=\"22\" width=\"100.00%\"")
			.doesNotContain("/turn?at=4", "/turn?at=5");
		assertThat(chart(page(session("s1") + "/usage"), "Slowest turns")).contains(session("s1") + "/turn?at=1\"");
		assertThat(page).doesNotContain("<b>", "<i>");
		assertThat(page("/console/apps/" + this.app + "/users/alice/usage?from=&to=")).contains("Calls by tool",
				"/users/alice?tool=%3Ci%3E");
		assertThat(page("/console/apps/" + this.app + "/usage?by=model")).doesNotContain("<figure");
	}

	@Test
	void saysOnTheStartPageWhatTheWeekCost() {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		append(0, 1, "i1", 1000);
		append(1, 1, "i2", 100);
		this.jdbc
			.update("update events set commit_time = ?::date - 6 + interval '1 h' where seq = 1 and session_key in "
					+ "(select session_key from sessions where app_name = ?)", today.toString(), this.app);
		send("{'author': 'a', 'invocationId': 'i3', 'errorCode': 'LATE'}");
		assertThat(page("/console/apps/" + this.app + "/overview"))
			.contains("hx-get=\"/console/apps/" + this.app + "/week\"");
		assertThat(page("/console/apps/" + this.app + "/week"))
			.contains(">1,100</a>", "points=\"2,2.0 22,22.0 42,22.0 62,22.0 82,22.0 102,22.0 122,20.0\"",
					"in the last 7 days: 1,000, 0, 0, 0, 0, 0, 100</span>",
					"in the last 7 days: 1, 0, 0, 0, 0, 0, 1</span>", ">1 of 2</a>",
					"?error=true&amp;from=" + today + "&amp;until=" + today)
			.doesNotContain("Cost", "at least");
		for (int batch = 0; batch < 7; batch++) {
			append(1000 * batch, 1000, "many", 1);
		}
		assertThat(page("/console/apps/" + this.app + "/week")).contains(">at least 7,097</a>");
	}

	/** A page of 31 of many days, models and tools is small. */
	@Test
	void drawsNoMoreThanPeopleRead() {
		String events = IntStream.range(0, 600)
			.mapToObj((number) -> "{'author': 'a', 'invocationId': 'i%1$d', 'modelVersion': 'model-%2$d',"
				.formatted(number, number % 12) + " 'usageMetadata': {'totalTokenCount': 7}, 'content': {'parts': ["
					+ "{'functionCall': {'id': 'c%1$d', 'name': 'tool-%2$d'}}]}}".formatted(number, number % 40))
			.collect(Collectors.joining(","));
		this.http.post(api("s1") + "/events:batch", Json.of("{'events': [" + events + "]}")).ok();
		this.jdbc.update("update events set commit_time = now() - (seq / 10) * interval '1 day' "
				+ "where session_key in (select session_key from sessions where app_name = ?)", this.app);
		String page = page("/console/apps/" + this.app + "/usage?from=&to=");
		assertThat(chart(page, "Tokens by day")).contains("other models", "30 more are not shown.");
		assertThat(chart(page, "Calls by tool")).contains("20 more are not shown.");
		assertThat(page.length()).isLessThan(200_000);
	}

	private static String chart(String page, String title) {
		return page.substring(page.indexOf(">" + title + "</h2>")).replaceFirst("(?s)</figure>.*", "");
	}

	private void send(String event) {
		this.http.post(api("s1") + "/events", Json.of(event)).ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "from=x", "to=2026-13-01", "from=2026-01-02&to=2025-12-31", "page=x", "to=99999-01-01" })
	void refusesDaysThatAreNone(String query) {
		Answer answer = this.visitor.get("/console/apps/" + this.app + "/usage?by=model&" + query);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body()).contains("role=\"alert\"", "<option value=\"model\" selected=\"selected\"")
			.doesNotContain("By model</h2>");
		for (String day : query.startsWith("page") ? new String[0] : query.split("&")) {
			assertThat(answer.body()).contains(day.replaceFirst("(.*)=(.*)", " name=\"$1\" value=\"$2\""));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-5", "1.5", "1e400", "'<b>7'", "99999999999999999999999", "[]" })
	void leavesOutCountsThatAreNotPossible(String count) {
		String event = "{'id': 'older', 'author': 'a', 'invocationId': '<i>', 'timestamp': 1, 'actions': {}, "
				+ "'modelVersion': '<m>', 'usageMetadata': {'totalTokenCount': %s, 'promptTokenCount': 7}}";
		this.http.post(api("s1") + "/events", Json.of(event.formatted("1"))).ok();
		OlderVersion.stored(this.jdbc, this.app, "older", Json.of(event.formatted(count)));
		assertThat(page(session("s1"))).contains(">7 tokens</span>");
		assertThat(page(session("s1") + "/usage")).contains("left out", "&lt;m&gt;", "&lt;i&gt;")
			.doesNotContain("<m>", "<i>", "<b>");
	}

	@Test
	void knowsNoSessionThatIsNotThere() {
		assertThat(this.visitor.get(session("s2") + "/usage").status()).isEqualTo(404);
	}

	private void append(int begin, int count, String invocation, int tokens) {
		String events = IntStream.range(begin, begin + count)
			.mapToObj((number) -> "{'author': 'a', 'invocationId': '" + invocation
					+ "', 'modelVersion': 'm-1', 'usageMetadata': {'totalTokenCount': " + tokens + "}}")
			.collect(Collectors.joining(","));
		this.http.post(api("s1") + "/events:batch", Json.of("{'events': [" + events + "]}")).ok();
	}

	private String page(String path) {
		Answer page = this.visitor.get(path);
		assertThat(page.status()).as("%s: %s", path, page.body()).isEqualTo(200);
		return page.body();
	}

	private String api(String id) {
		return "/apps/" + this.app + "/users/alice/sessions/" + id;
	}

	private String session(String id) {
		return "/console" + api(id);
	}

}
