package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/**
 * Opens every page in a real browser, where all names and contents are texts that would
 * run a script, load something from elsewhere or add an element if a page did not escape
 * them.
 */
class HostileBrowserTests extends BrowserTest {

	private static final List<String> PAYLOADS = List.of("<script>window.pwned=1</script>",
			"<img src=x onerror=window.pwned=1>", "\"><img src=x onerror=window.pwned=1>",
			"'><img src=x onerror=window.pwned=1>", "</textarea><script>window.pwned=1</script>",
			"</title><script>window.pwned=1</script>", "</pre><svg onload=window.pwned=1>",
			"<svg/onload=window.pwned=1>", "<body onload=window.pwned=1>", "<input autofocus onfocus=window.pwned=1>",
			"<details open ontoggle=window.pwned=1>", "<video><source onerror=window.pwned=1>",
			"<iframe srcdoc='<script>parent.pwned=1</script>'>", "<iframe src=//evil.example>",
			"<object data=//evil.example>", "<embed src=//evil.example>", "<link rel=stylesheet href=//evil.example>",
			"<style>@import '//evil.example'</style>", "<base href=//evil.example>",
			"<meta http-equiv=refresh content='0;url=//evil.example'>",
			"<form action=//evil.example><button>x</button></form>", "<a href=javascript:window.pwned=1>x</a>",
			"[x](javascript:window.pwned=1)", "![x](https://evil.example/x.png)",
			"[x](data:text/html;base64,PHNjcmlwdD4=)", "javascript:window.pwned=1", "\" onmouseover=\"window.pwned=1",
			"' autofocus onfocus='window.pwned=1", "<div hx-get=//evil.example hx-trigger=load>",
			"<div data-copy=x data-copy-from=//evil.example>", "${7*7} [[${7*7}]] __${7*7}__",
			"<!--><script>window.pwned=1</script>-->", "&lt;script&gt;window.pwned=1&lt;/script&gt;",
			"\u202E<script>window.pwned=1</script>");

	/** Five payloads each, short enough for a name. */
	private static final List<String> TEXTS = IntStream.range(0, (PAYLOADS.size() + 4) / 5)
		.mapToObj((number) -> String.join(" ", PAYLOADS.subList(5 * number, Math.min(5 * number + 5, PAYLOADS.size()))))
		.toList();

	private static final String ARTIFACT = TEXTS.get(0).replaceAll("/+", "/x");

	private static final String ARTIFACT_PAGE = "/artifacts/one?name=" + PageVisitor.encode(ARTIFACT);

	/** Elements and attributes that no page has by itself. */
	private static final String INJECTED = "main script, main style, main iframe, main object, main embed, main base,"
			+ " main video, link[href^='//'], base, meta[http-equiv], img[src=x], [onerror], [onload], [onfocus],"
			+ " [ontoggle], [onmouseover], [href^=javascript], [href^='data:text'], [src^='//'], [src^=http],"
			+ " [action^='//'], [hx-get^='//'], [data-copy-from^='//']";

	private static final String REQUESTS_ELSEWHERE = """
			return performance.getEntriesByType('resource').map((entry) => entry.name)
			  .filter((name) => !name.startsWith(location.origin + '/console') && !name.startsWith('data:')).join(' ')""";

	@Test
	void noContentActsOnAnyPage() {
		this.user = nameOf(TEXTS.get(0));
		String ofUser = "/apps/shop/users/" + PageVisitor.encode(this.user);
		String session = ofUser + "/sessions/" + PageVisitor.encode(nameOf(TEXTS.get(1)));
		store(ofUser, session);
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		pages(ofUser, session).forEach((page) -> check("/console" + page));
	}

	/** Such a text without the characters that names must not have. */
	private static String nameOf(String text) {
		return text.replaceAll("[/\\\\;%]", "_");
	}

	private void store(String ofUser, String session) {
		String first = text(0);
		post(session, """
				{"displayName":%1$s,"state":{"k":%1$s,%1$s:1,"user:k":%1$s,"app:hostile":%1$s}}""".formatted(first));
		for (int number = 0; number < TEXTS.size(); number++) {
			post(session + "/events", event(number));
			post(ofUser + "/memories", """
					{"text":%1$s,"author":%1$s,"metadata":{"k":%1$s}}""".formatted(text(number)));
		}
		post(session + "/events", event(0).replace("{\"id\":\"e0\"", "{\"id\":\"later\""));
		for (String type : List.of("text/html", "image/svg+xml", TEXTS.get(4))) {
			post(session + "/artifacts",
					"""
							{"filename":%1$s,"artifact":{"inlineData":{"mimeType":%2$s,"data":%3$s}}}"""
						.formatted(Json.string(ARTIFACT), Json.string(type), Json.string(Base64.getEncoder()
							.encodeToString(String.join("\n", TEXTS).getBytes(StandardCharsets.UTF_8)))));
		}
		post(session + "/artifacts", """
				{"filename":"reference","artifact":{"fileData":{"fileUri":%1$s,"mimeType":%1$s}}}"""
			.formatted(text(5)));
		post(session + ":fork", "{\"sessionId\":\"fork\"}");
	}

	private static String text(int number) {
		return Json.string(TEXTS.get(number));
	}

	private static String event(int number) {
		return """
				{"id":"e%2$d","author":%1$s,"invocationId":%1$s,"branch":%1$s,"modelVersion":%1$s,"errorCode":%1$s,
				"errorMessage":%1$s,"longRunningToolIds":["w%2$d"],"usageMetadata":{"totalTokenCount":5},
				"customMetadata":{"k":%1$s},
				"content":{"role":"model","parts":[{"text":%1$s},{"text":%1$s,"thought":true},
				{"functionCall":{"id":"w%2$d","name":%1$s,"args":{%1$s:%1$s}}},
				{"functionResponse":{"id":"z","name":%1$s,"response":{"error":%1$s}}},
				{"inlineData":{"mimeType":"image/png","displayName":%1$s,"data":"AAAA"}},
				{"fileData":{"fileUri":%1$s,"mimeType":%1$s,"displayName":%1$s}},
				{"executableCode":{"code":%1$s,"language":%1$s}}]},
				"actions":{"stateDelta":{%1$s:%1$s},"artifactDelta":{%1$s:0},"transferToAgent":%1$s,"compaction":{"startTimestamp":1,
				"endTimestamp":2,"compactedContent":{"parts":[{"text":%1$s}]}}}}"""
			.formatted(text(number), number);
	}

	private static Stream<String> pages(String ofUser, String session) {
		String query = PageVisitor.encode(TEXTS.get(2));
		Stream<String> ofApp = Stream
			.of("", "?prefix=%1$s&tool=%1$s&author=%1$s&label=%1$s".formatted(query), "?error=true", "?order=" + query,
					"/delete-sessions?author=" + query, "/delete-sessions?prefix=" + query,
					"?tool=" + PageVisitor.encode(TEXTS.get(3)), "/find?session=" + query, "/users", "/usage",
					"/usage?by=user", "/failures", "/failures?from=" + query, "/usage?by=model&from=" + query,
					"/search?q=pwned", "/search?q=" + query)
			.map((rest) -> "/apps/shop" + rest);
		Stream<String> ofUserToo = Stream
			.of("", "/usage", "/erase", "/delete-sessions?error=true", "/facts", "/search?q=pwned",
					"/search?q=" + query, "/sessions/fork/compare")
			.map((rest) -> ofUser + rest);
		Stream<String> ofSession = Stream
			.of("", "?as=stored", "?view=context", "?at=1", "/state", "/state?as=stored", "/events/e1", "/turn?at=1",
					"/usage", "/search?q=pwned", "/compare", "/compare?with=fork", "/compare?with=" + query, "/fork",
					"/fork?invocation=" + query, "/rewind?invocation=" + query, "/delete", "/answer?seq=1&call=w0",
					"/artifacts", ARTIFACT_PAGE, ARTIFACT_PAGE + "&version=0", ARTIFACT_PAGE + "&version=1",
					"/artifacts/one?name=reference", "/artifacts/one?name=" + query, "/artifacts?after=" + query)
			.map((rest) -> session + rest);
		return Stream.of(ofApp, ofUserToo, ofSession).flatMap((pages) -> pages);
	}

	private void check(String page) {
		this.browser.open(page);
		this.browser.unfold();
		assertThat(this.browser.script("return String(window.pwned)")).as(page).isEqualTo("undefined");
		assertThat(this.browser.findAll(INJECTED)).as(page).isEmpty();
		assertThat(this.browser.script(REQUESTS_ELSEWHERE)).as(page).isEqualTo("");
		assertThat(this.browser.path()).as(page).startsWith("/console/apps/shop");
		assertThat(this.browser.text()).as(page).doesNotContain("[[49]]");
	}

	private void post(String path, String body) {
		assertThat(call("POST", path).as(Keys.AGENT).json(body).status()).as(path + body).isBetween(200, 201);
	}

}
