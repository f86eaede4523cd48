package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The page with the failures of an app, and what lists say of a failed event. */
@HttpTest
class FailurePagesTests {

	private static final String BOOK = "{'author': 'a', 'content': {'parts': [{'functionResponse': {'name': 'book',"
			+ " 'response': {'error': '<b>full</b> at %d'}}}]}}";

	private final Http http;

	private final PageVisitor visitor;

	private final String app = "app-" + UUID.randomUUID();

	FailurePagesTests(Http http) {
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void countsFailuresByToolAndByError() {
		append("ann", "s1", BOOK.formatted(1), "{'author': 'a', 'errorCode': 'QUOTA', 'errorMessage': 'later'}",
				"{'author': 'a', 'content': {'parts': [{'text': 'fine'}]}}");
		append("bob", "s2", BOOK.formatted(22), "{'author': 'a', 'content': {'parts': [{'functionResponse': {"
				+ "'name': 'mcp', 'response': {'isError': true, 'content': [{'text': 'no such page'}]}}}]}}");
		this.http.post(api("bob", "s2") + ":fork", Json.of("{'sessionId': 'copy'}"));
		List<String> lines = lines(page(""));
		assertThat(lines).hasSize(6);
		assertThat(lines.get(0)).contains("book", ">2<", "/users/bob/sessions/s2?at=1#event-1", "of <bdi>bob</bdi>",
				"/users/ann/sessions/s1?at=1");
		assertThat(lines.subList(3, 6)).anyMatch((line) -> line.contains("&lt;b&gt;full&lt;/b&gt; at "))
			.anyMatch((line) -> line.contains("no tool") && line.contains("QUOTA later"))
			.anyMatch((line) -> line.contains("mcp") && line.contains("no such page"))
			.noneMatch((line) -> line.contains("/sessions/copy"));
		String list = this.visitor.get("/console/apps/" + this.app + "?error=true").body();
		assertThat(list).contains(">QUOTA later</bdi>", "mcp: no such page</bdi>");
	}

	@Test
	void countsEachFailureOnOnePage() {
		String[] many = IntStream.range(0, 450).mapToObj(BOOK::formatted).toArray(String[]::new);
		IntStream.range(0, 12).forEach((number) -> append("u" + number, "s" + number, many));
		append("last", "small", BOOK.formatted(0));
		long times = 0;
		String next = "";
		for (int pages = 0; next != null; pages++) {
			assertThat(pages).isLessThan(10);
			String page = page(next);
			Matcher count = Pattern.compile("data-label=\"Times\">(\\d+)<").matcher(page);
			times += count.find() ? Long.parseLong(count.group(1)) : 0;
			Matcher more = Pattern.compile("href=\"[^\"]+/failures(\\?[^\"]+)\">Next page").matcher(page);
			next = more.find() ? more.group(1).replace("&amp;", "&") : null;
		}
		assertThat(times).isEqualTo(12 * 450 + 1);
	}

	@Test
	void readsNoLargeEvent() {
		append("ann", "s1", "{'author': 'a', 'errorCode': 'E', 'errorMessage': '%s'}".formatted("x".repeat(100_000)));
		assertThat(page("")).contains("too large to say more");
	}

	@ParameterizedTest
	@CsvSource({ "from=x&until=, must be a day", "page=AAAA, must be one that the service has given" })
	void keepsTheFormThatIsRefused(String query, String rule) {
		Answer answer = this.visitor.get("/console/apps/" + this.app + "/failures?" + query);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body()).contains("role=\"alert\"", rule, "name=\"from\"");
	}

	@Test
	void showsTheDaysThatAreChosen() {
		append("ann", "s1", BOOK.formatted(1));
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		assertThat(page("?from=&until=" + today.minusDays(2))).contains("Nothing failed.");
		assertThat(page("?from=" + today.minusDays(1) + "&until=")).contains("book");
	}

	private static List<String> lines(String page) {
		return List.of(page.split("<tr>")).stream().filter((line) -> line.contains("data-label=\"Times\"")).toList();
	}

	private void append(String user, String session, String... events) {
		this.http.post(api(user, session), "{}").ok();
		String all = List.of(events).stream().collect(Collectors.joining(","));
		this.http.post(api(user, session) + "/events:batch", Json.of("{'events': [" + all + "]}")).ok();
	}

	private String api(String user, String session) {
		return "/apps/" + this.app + "/users/" + user + "/sessions/" + session;
	}

	private String page(String query) {
		Answer page = this.visitor.get("/console/apps/" + this.app + "/failures" + query);
		assertThat(page.status()).as("%s: %s", query, page.body()).isEqualTo(200);
		return page.body();
	}

}
