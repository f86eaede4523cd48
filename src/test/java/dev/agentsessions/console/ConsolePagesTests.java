package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.OlderVersion;
import dev.agentsessions.support.ReadsLog;

/** What the pages say and do where nobody has to say who they are. */
@HttpTest
class ConsolePagesTests {

	private final Http http;

	private final PageVisitor visitor;

	private final JdbcTemplate jdbc;

	private final String app = "app-" + UUID.randomUUID();

	ConsolePagesTests(Http http, JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void beginsAtTheRoot() {
		assertThat(this.visitor.get("/").header("Location"))
			.hasValueSatisfying((place) -> assertThat(place).endsWith("/console"));
		assertThat(this.visitor.get("/console").body()).contains("/swagger-ui.html").doesNotContain("Sign out");
	}

	@Test
	void leadsFromTheAppToTheEventThatSetAKey() {
		create("s1", "{'state': {'city': 'Oslo', 'days': 3, 'app:theme': 'dark'}}");
		append("s1", "{'author': 'planner', 'invocationId': 'turn-1', 'content': {'parts': [{'text': 'Rome, then.'}]},"
				+ "'actions': {'stateDelta': {'city': 'Rome'}}}");
		assertThat(page("/console")).contains("hx-get=\"/console/apps/" + this.app + "/overview\"");
		assertThat(page("/console/apps/" + this.app + "/overview")).contains("<td data-label=\"Users today\">1</td>",
				"<td data-label=\"Last activity\"><time title=\"20", ">just now</time>");
		assertThat(page("/console/apps/" + this.app + "/week")).contains("/failures\"");
		assertThat(page("/console/apps/" + this.app)).contains(session("s1"), "alice", users() + "\"");
		assertThat(page(users())).contains(users() + "/alice\"", "<td data-label=\"Sessions\">1</td>");
		assertThat(page("/console/apps/" + this.app + "/users/alice")).contains(session("s1"));
		assertThat(page(session("s1"))).contains("Rome, then.", "turn-1", "planner", "Sets 1 key",
				"<del><bdi class=\"before\">Oslo</bdi></del> → <bdi>Rome</bdi>");
		assertThat(page(session("s1") + "/state")).contains("event <span>1</span> by <bdi>planner</bdi>",
				"there from the beginning", "app:theme", session("s1") + "?at=1#event-1");
		assertThat(page(session("s1") + "/state?at=0")).contains("Oslo").doesNotContain("Rome");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{'parts': []} | true
			{'role': 'model'} | true
			{'parts': [{'text': ' '}]} | true
			{'parts': [{'text': 'x', 'thought': true}]} | true
			{'parts': [{'text': 'They met'}]} | false
			{'parts': [{'inlineData': {'mimeType': 'image/gif', 'data': 'AAAA'}}]} | false""")
	void marksASummaryThatSaysNothing(String content, boolean marked) {
		create("s1", "{}");
		append("s1",
				"{'author': 'a', 'actions': {'compaction': {'startTimestamp': 1, 'endTimestamp': 2, 'compactedContent': "
						+ content + "}}}");
		assertThat(page(session("s1")).contains("This summary is empty")).isEqualTo(marked);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/console", "/console/nowhere", "/console/static/console.js", "/console/apps/%3Cb%3E" })
	void sendsAStrictPolicy(String path) {
		Answer page = this.visitor.get(path);
		assertThat(page.header("Content-Security-Policy").orElseThrow())
			.matches("default-src 'self'; script-src 'nonce-[\\w-]{22}'; style-src 'nonce-[\\w-]{22}'; "
					+ "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
		assertThat(page.header("Referrer-Policy")).hasValue("same-origin");
		assertThat(page.header("X-Content-Type-Options")).hasValue("nosniff");
	}

	/** A part of an event is a file of the same place, and no page names it. */
	@Test
	void runsNothingButTheFilesThatThePageItselfNames() {
		create("s1", "{}");
		Set<String> nonces = new HashSet<>();
		for (String path : List.of("/console", session("s1"), "/console/nowhere")) {
			Answer page = this.visitor.get(path);
			String policy = page.header("Content-Security-Policy").orElseThrow();
			String nonce = policy.replaceFirst(".*script-src 'nonce-([^']+)'.*", "$1");
			assertThat(page.body()).contains("<link rel=\"stylesheet\" nonce=\"" + nonce + "\"");
			assertThat(page.body().split("<script defer nonce=\"" + nonce + "\" src=\"/console/static/")).hasSize(5);
			nonces.add(nonce);
		}
		assertThat(nonces).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/state?at=-1", "/state/json?at=-1", "?at=-1", "?at=0x0", "/state?at=1.5",
			"/watch?after=-1", "/tail?after=0x1" })
	void refusesMomentsThatThereAreNot(String page) {
		create("s1", "{}");
		assertThat(this.visitor.get(session("s1") + page).status()).isEqualTo(400);
	}

	@Test
	void leadsToNoNameThatIsNone() {
		String find = "/console/apps/" + this.app + "/find?user=";
		Answer answer = this.visitor.get(find + "x".repeat(9000));
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body()).contains("userId must have at most 512 characters");
		String longest = PageVisitor.encode("\uD840\uDC00".repeat(512));
		this.http.post("/apps/" + this.app + "/users/" + longest + "/sessions/" + longest, "{}").ok();
		assertThat(this.visitor.get(find + longest + "&session=" + longest).header("Location"))
			.hasValue("/console/apps/" + this.app + "/users/" + longest + "/sessions/" + longest);
	}

	@Test
	void hasNoScriptOrStyleInItsPages() {
		create("s1", "{}");
		append("s1", "{'author': 'user', 'invocationId': 'i', 'content': {'parts': [{'text': 'hello'}]}}");
		for (String path : List.of("/console", session("s1"), session("s1") + "/fork", session("s1") + "/delete")) {
			assertThat(page(path)).doesNotContain("<style", " style=", "javascript:", " onclick")
				.doesNotContainPattern("<script(?![^>]* src=)");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "javascript:alert(1)",
			"\u202Etxt.exe", "a'b\"c`d", "${7*7} [[${7*7}]] __${7*7}__", "#{x} @{/y} ~{z :: w}", "a?b#c&d=e", " x ",
			"\uD83D\uDE00 \u05D0\u05D1", "{user:name}", "redirect:http://evil.example", "a+b%20c" })
	void showsAnyNameAsTextAndFindsItAgain(String name) {
		String path = "/apps/" + this.app + "/users/" + PageVisitor.encode(name + "/\\;%") + "/sessions/"
				+ PageVisitor.encode(name.replaceAll("[/\\\\;%]", "_"));
		String event = Json.of("{'author': %1$s, 'invocationId': %1$s, 'errorMessage': %1$s, 'branch': %1$s,"
				+ "'modelVersion': %1$s, 'usageMetadata': {'totalTokenCount': 5},"
				+ "'actions': {'stateDelta': {%1$s: {%1$s: %1$s}}, 'transferToAgent': %1$s}, 'longRunningToolIds': [%1$s],"
				+ "'content': {'parts': [{'text': %1$s}, {'text': 'palimpsest'}, {'functionCall': {'id': %1$s, 'name': %1$s, 'args': {%1$s: %1$s}}},"
				+ "{'inlineData': {'mimeType': %1$s, 'data': 'AAAA'}}, {'fileData': {'fileUri': %1$s, 'mimeType': %1$s}}]}}")
			.formatted(quote(name));
		String body = "{\"state\":{},\"displayName\":%1$s,\"labels\":{%1$s:%1$s},\"events\":[%2$s]}"
			.formatted(quote(name), event);
		assertThat(this.http.post(path, body).status()).isEqualTo(200);
		String user = path.substring(0, path.indexOf("/sessions/"));
		String fact = "{\"text\":%1$s,\"author\":%1$s,\"metadata\":{%1$s:%1$s}}".formatted(quote(name + " palimpsest"));
		assertThat(this.http.post(user + "/memories", fact).status()).isEqualTo(201);
		String session = "/console" + path;
		Set<String> followed = new HashSet<>();
		for (String page : List.of("/console/apps/" + this.app, users(), session, session + "/state",
				session + "?as=stored", session + "?view=context", session + "/compare",
				session + "/compare?with=" + path.replaceFirst(".*/", ""), session + "/delete", session + "/usage",
				session + "/turn?at=1", "/console/apps/" + this.app + "/usage?by=user&from=",
				"/console/apps/" + this.app + "/search?q=palimpsest", "/console" + user, "/console" + user + "/facts",
				"/console" + user + "/search?q=palimpsest", session + "/search?q=palimpsest",
				"/console" + user + "/search?q=palimpsest%20" + PageVisitor.encode(name))) {
			Answer answer = this.visitor.get(page);
			assertThat(answer.status()).as(page).isEqualTo(200);
			assertThat(answer.body()).doesNotContain("<script>", "<img src=x", "href=\"javascript:", " 49 ", "[[49]]")
				.contains(escape(name.strip()));
			assertThat(PageVisitor.links(answer)).allMatch(
					(link) -> link.matches("(/console|/swagger-ui\\.html|#main|#state|#event-\\d+)[!-~]*"),
					"stays here");
			PageVisitor.links(answer)
				.stream()
				.filter((link) -> link.startsWith("/console/") && !link.contains("/watch") && !link.contains("/tail")
						&& !link.endsWith("/forget"))
				.map((link) -> link.replaceFirst("#.*", ""))
				.filter(followed::add)
				.forEach((link) -> assertThat(this.visitor.get(link).status()).as("%s, from %s", link, page)
					.isIn(200, 303));
		}
	}

	@Test
	void showsEventsThatNobodyWouldSend() {
		String deep = "[".repeat(400) + "]".repeat(400);
		create("odd", "{}");
		append("odd", "{'id': 'older', 'author': 'a'}");
		OlderVersion.stored(this.jdbc, this.app, "older", Json
			.of("{'id': 'older', 'author': 'a', 'invocationId': '', 'timestamp': 1, 'actions': {}, 'content': {'parts': [{'function_call': {'name': 'f', 'args': %s}}, {'functionResponse': {'name': 'f', 'name': 'g', 'response': 1}}, {'inline_data': {'data': 5}}, {}, {'text': null}]}, 'usageMetadata': {'totalTokenCount': 'many', 'promptTokenCount': 1e400}}"
				.formatted(deep)));
		append("odd",
				"{'author': 'a', 'content': {'parts': []}, 'actions': {'stateDelta': {'a': %s}}, 'errorCode': 'X'}"
					.formatted(deep));
		append("odd", "{'author': 'a', 'content': {'parts': [%s]}}"
			.formatted(IntStream.range(0, 300).mapToObj((i) -> "{'text': 'p'}").collect(Collectors.joining(","))));
		assertThat(page(session("odd"))).contains("Call of f", "250 more parts");
		assertThat(page(session("odd") + "/state")).contains("[");
	}

	@Test
	void showsPicturesAndLeadsToOtherData() {
		String large = "AAAA".repeat(1000);
		create("pictures", "{}");
		append("pictures", """
				{'id': 'e1', 'author': 'a', 'content': {'parts': [
				{'inlineData': {'mimeType': 'image/png', 'data': '%1$s'}},
				{'inline_data': {'mime_type': 'image/gif', 'data': 'R0lG'}},
				{'inlineData': {'mimeType': 'application/pdf', 'data': '%1$s'}},
				{'inlineData': {'mimeType': 'image/svg+xml', 'data': '%1$s'}},
				{'fileData': {'mimeType': 'image/png', 'fileUri': 'https://evil.example/x.png'}}]}}"""
			.formatted(large));
		String part = session("pictures") + "/events/e1/parts/";
		assertThat(page(session("pictures")))
			.contains("<img src=\"" + part + "0\"", "<img src=\"" + part + "1\"", "href=\"" + part + "2\"",
					"href=\"" + part + "3\"", "https://evil.example/x.png")
			.doesNotContain(large, "src=\"https", "href=\"https");
		Answer picture = this.visitor.get(part + "0");
		assertThat(picture.header("Content-Type")).hasValue("image/png");
		assertThat(picture.header("Content-Security-Policy")).hasValue("default-src 'none'; sandbox");
		assertThat(this.visitor.get(part + "3").header("Content-Disposition")).hasValue("attachment");
		assertThat(this.visitor.get(part + "4").status()).isEqualTo(404);
	}

	@Test
	void cutsWhatIsLongAndLeadsToTheWhole() {
		create("long", "{'state': {'big': '%s'}}".formatted("v".repeat(100_000)));
		append("long",
				"{'id': 'e1', 'author': 'a', 'content': {'parts': [{'text': '%1$s'}, {'text': '%1$s'}, {'text': '%1$s'}]}}"
					.formatted("x".repeat(100_000)));
		assertThat(page(session("long"))).hasSizeLessThan(60_000)
			.contains("… 90000 more characters", session("long") + "/events/e1");
		assertThat(page(session("long") + "/state")).hasSizeLessThan(20_000);
		assertThat(page(session("long") + "/events/e1")).contains("more characters", "/events/e1/json");
		assertThat(this.visitor.get(session("long") + "/events/e1/json").ok().text("/content/parts/2/text"))
			.hasSize(100_000);
		assertThat(this.visitor.get(session("long") + "/state/json").ok().text("/big")).hasSize(100_000);
	}

	@Test
	void showsAWindowOfTheEventsAndTheWayToOthers() {
		create("many", "{}");
		String events = IntStream.rangeClosed(1, 120)
			.mapToObj((i) -> "{'author': 'a', 'invocationId': 'i%d', 'content': {'parts': [{'text': 'text-%d.'}]}}"
				.formatted(i / 2, i))
			.collect(Collectors.joining(","));
		this.http.post(api("many") + "/events:batch", Json.of("{'events': [" + events + "]}")).ok();
		assertThat(page(session("many"))).contains("text-120.", "text-71.", session("many") + "?at=70\"")
			.doesNotContain("text-70.", "Newer events");
		assertThat(page(session("many"))).contains("href=\"" + session("many") + "?at=50\">First events</a>");
		assertThat(page(session("many") + "?at=50")).contains("text-1.", "text-50.").doesNotContain("First events");
		assertThat(page(session("many") + "?at=70")).contains("text-70.", "text-21.", session("many") + "\"")
			.doesNotContain("text-71.", "text-20.");
		assertThat(page(session("many") + "?at=0")).contains("Nothing has happened yet");
		assertThat(page(session("many") + "/tail?after=118")).contains("text-119.", "text-120.")
			.doesNotContain("text-118.", "<html");
		for (String at : List.of("121", "-1", "x", "9999999999999999999")) {
			assertThat(this.visitor.get(session("many") + "?at=" + at).status()).isEqualTo(400);
		}
	}

	@Test
	void listsPageByPageAndFinds() {
		for (int i = 0; i < 60; i++) {
			create("s" + i, "{'state': {}, 'labels': {'kind': '%s'}}".formatted((i == 7) ? "rare" : "usual"));
		}
		String list = "/console/apps/" + this.app + "/users/alice";
		String first = page(list);
		String next = PageVisitor.links(new Answer(200, this.visitor.get(list).headers(), first))
			.stream()
			.filter((link) -> link.contains("page="))
			.findFirst()
			.orElseThrow();
		assertThat(first).contains(session("s59") + "\"").doesNotContain(session("s0") + "\"");
		assertThat(page(next)).contains(session("s0") + "\"").doesNotContain("Next page");
		assertThat(page(list + "?label=kind%3Drare")).contains(session("s7") + "\"")
			.doesNotContain(session("s8") + "\"");
		assertThat(page("/console/apps/" + this.app + "?order=time")).contains(session("s59") + "\"");
		assertThat(this.visitor.get(list + "?page=AAAA").status()).isEqualTo(400);
		assertThat(this.visitor.get(list + "?label=kind").status()).isEqualTo(400);
		assertThat(this.visitor.get("/console/apps/" + this.app + "/find?session=s3").header("Location"))
			.hasValue(session("s3"));
		assertThat(this.visitor.get("/console/apps/" + this.app + "/find?session=none").status()).isEqualTo(404);
	}

	@Test
	void listsUsersPageByPage() {
		assertThat(page(users())).contains("There are none.").doesNotContain("<table");
		Set<String> names = new HashSet<>();
		for (int i = 0; i < 120; i++) {
			names.add("u" + i);
			this.http.post("/apps/" + this.app + "/users/u" + i + "/sessions/s1", "{}").ok();
		}
		List<String> found = new ArrayList<>();
		@Nullable String next = users();
		while (next != null) {
			List<String> links = PageVisitor.links(this.visitor.get(next));
			links.stream()
				.filter((link) -> link.startsWith(users() + "/"))
				.forEach((link) -> found.add(link.substring(users().length() + 1)));
			next = links.stream().filter((link) -> link.startsWith(users() + "?page=")).findFirst().orElse(null);
		}
		assertThat(found).containsExactlyInAnyOrderElementsOf(names);
		assertThat(this.visitor.get(users() + "?page=AAAA").status()).isEqualTo(400);
	}

	@Test
	void forksRewindsAndDeletes() {
		create("s1", "{'state': {'n': 0}}");
		append("s1", "{'author': 'user', 'invocationId': 'one', 'actions': {'stateDelta': {'n': 1}}}");
		append("s1", "{'author': 'user', 'invocationId': 't\\nwo', 'actions': {'stateDelta': {'n': 2}}}");
		String sessionKey = sessionKey("s1");
		assertThat(submit("s1", "fork?invocation=t%0Awo", "sessionKey", sessionKey, "id", "copy").header("Location"))
			.hasValue(session("copy"));
		assertThat(this.http.get(api("copy")).at("/state/n").intValue()).isEqualTo(1);
		assertThat(this.http.get(api("copy")).text("/displayName")).isEqualTo("s1 (fork before t\nwo)");
		String rewind = "rewind?invocation=t%0Awo";
		String updated = field("updated", page(session("s1") + "/" + rewind));
		String lost = Instant.parse(updated).minusNanos(1000).toString();
		assertThat(submit("s1", rewind, "sessionKey", sessionKey, "revision", "1", "updated", updated).status())
			.isEqualTo(412);
		assertThat(submit("s1", rewind, "sessionKey", sessionKey, "revision", "2", "updated", lost).status())
			.isEqualTo(412);
		assertThat(submit("s1", rewind, "sessionKey", sessionKey, "revision", "2", "updated", updated).status())
			.isEqualTo(303);
		assertThat(this.http.get(api("s1")).at("/state/n").intValue()).isEqualTo(1);
		assertThat(submit("s1", "delete", "sessionKey", "00000000-0000-0000-0000-000000000001").status())
			.isEqualTo(412);
		assertThat(submit("s1", "delete", "sessionKey", sessionKey).status()).isEqualTo(303);
		assertThat(this.http.get(api("s1")).status()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "fork | 409 | id=s1&name=<a>&at=1", "fork | 400 | id=<b>&name=n&at=7",
			"rewind | 404 | invocation=<c>&revision=1", "rewind | 412 | invocation=one&revision=0" })
	void keepsWhatWasTypedInAFormThatIsRefused(String change, int status, String fields) {
		create("s1", "{}");
		append("s1", "{'author': 'user', 'invocationId': 'one'}");
		String updated = change.equals("rewind") ? "&updated=" + field("updated", page(session("s1") + "/rewind")) : "";
		String[] typed = (fields + "&sessionKey=" + sessionKey("s1") + updated).split("[&=]");
		Answer answer = submit("s1", change, typed);
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.body()).contains("role=\"alert\"", "action=\"" + session("s1") + "/" + change + "\"");
		for (int i = 0; i < typed.length; i += 2) {
			String value = typed[i].equals("revision") ? "1" : typed[i + 1];
			assertThat(answer.body())
				.containsPattern("name=\"" + typed[i] + "\"[^>]* value=\"" + Pattern.quote(escape(value)) + "\"");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/find?user=&session=%3Cnone%3E", "/find?user=alice&session=%3Cnone%3E",
			"/users/alice/sessions/s1/compare?user=alice&with=%3Cnone%3E" })
	void keepsTheNameOfASessionThatDoesNotExist(String form) {
		create("s1", "{}");
		Answer answer = this.visitor.get("/console/apps/" + this.app + form);
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.body()).contains("role=\"alert\"", "Session not found", " value=\"&lt;none&gt;\"")
			.contains(form.contains("user=alice") ? " value=\"alice\"" : "name=\"user\"");
	}

	@Test
	void erasesAUserWithAReceipt() {
		create("s1", "{'state': {'user:a': 1, 'b': 2}}");
		append("s1", "{'author': 'user'}");
		String user = "/console/apps/" + this.app + "/users/alice";
		assertThat(page(user)).contains(user + "/erase");
		Answer refused = this.visitor.submit(user + "/erase", user + "/erase", "typed", "<alic>");
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.body()).contains("role=\"alert\"", "Nothing was erased", "value=\"&lt;alic&gt;\"");
		assertThat(this.http.get(api("s1")).status()).isEqualTo(200);
		assertThat(this.visitor.post(user + "/erase", "typed=alice").status()).isEqualTo(403);
		Answer erased = this.visitor.submit(user + "/erase", user + "/erase", "typed", " alice ");
		assertThat(erased.status()).isEqualTo(200);
		assertThat(erased.body()).contains("&quot;sessions&quot;: 1", "&quot;events&quot;: 1",
				"&quot;userStateKeys&quot;: 1", "&quot;user&quot;: &quot;alice&quot;", "&quot;time&quot;: &quot;20",
				"&quot;caller&quot;",
				"&quot;requestId&quot;: &quot;" + erased.header("X-Request-Id").orElseThrow() + "&quot;");
		assertThat(this.http.get(api("s1")).status()).isEqualTo(404);
	}

	@Test
	void saysThatAMistypedUserHasNoSession() {
		create("s1", "{}");
		String typed = users() + "/alcie";
		assertThat(page(typed)).contains("This user has no session here", "\"" + typed + "/erase\">Erase them</a>")
			.doesNotContain("Erase this user");
		assertThat(page(typed + "?prefix=s")).contains("No session matches.").doesNotContain("has no session here");
		assertThat(page(users() + "/alice")).contains("Erase this user").doesNotContain("has no session here");
	}

	@Test
	void deletesTheSessionsOfAFilterWithAReceipt() {
		for (String id : List.of("old-1", "old-2", "old-3", "new-1")) {
			create(id, "{}");
			append(id, "{'author': 'user'}");
		}
		String user = users() + "/alice";
		String deletion = user + "/delete-sessions?prefix=old";
		assertThat(page(user)).doesNotContain("/delete-sessions");
		assertThat(page(user + "?prefix=old")).contains(deletion);
		String shown = shown(page(deletion));
		assertThat(shown.split("[*]")).hasSize(3);
		append("old-2", "{'author': 'user'}");
		create("old-4", "{}");
		Answer refused = this.visitor.submit(deletion, deletion, "typed", "<alic>", "shown", shown);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.body()).contains("Nothing was deleted", "value=\"&lt;alic&gt;\"");
		assertThat(this.visitor.post(deletion, "typed=alice&shown=" + shown).status()).isEqualTo(403);
		Answer deleted = this.visitor.submit(deletion, deletion, "typed", " alice ", "shown", shown);
		assertThat(deleted.status()).isEqualTo(200);
		assertThat(deleted.body()).contains("&quot;sessions&quot;: 2", "&quot;events&quot;: 2",
				"&quot;changedAndLeft&quot;: 1", "&quot;remaining&quot;: 0", "&quot;prefix&quot;: &quot;old&quot;",
				"&quot;requestId&quot;: &quot;" + deleted.header("X-Request-Id").orElseThrow() + "&quot;");
		assertThat(Stream.of("old-1", "old-2", "old-3", "old-4", "new-1").map((id) -> this.http.get(api(id)).status()))
			.containsExactly(404, 200, 404, 200, 200);
	}

	@Test
	void deletesNoSessionsWithoutAFilterOrWithABrokenForm() {
		create("s1", "{}");
		String deletion = "/console/apps/" + this.app + "/delete-sessions";
		assertThat(this.visitor.get(deletion + "?order=time").body()).contains("filter must be set")
			.doesNotContain("name=\"shown\"");
		String filtered = deletion + "?prefix=s";
		String shown = shown(page(filtered));
		assertThat(this.visitor.submit(filtered, deletion, "typed", this.app, "shown", shown).status()).isEqualTo(400);
		assertThat(this.visitor.submit(filtered, filtered, "typed", this.app, "shown", "x.1").status()).isEqualTo(400);
		assertThat(this.visitor.submit(filtered, filtered, "typed", this.app).body())
			.contains("&quot;sessions&quot;: 0");
		assertThat(this.http.get(api("s1")).status()).isEqualTo(200);
		assertThat(this.visitor.submit(filtered, filtered, "typed", this.app, "shown", shown).body())
			.contains("&quot;sessions&quot;: 1");
		assertThat(page(filtered)).contains("No session matches.");
	}

	@Test
	void deletesAtMostAThousandSessionsAtATime() {
		IntStream.range(0, 1001).forEach((number) -> create("many-" + number, "{}"));
		String deletion = users() + "/alice/delete-sessions?prefix=many-";
		String page = page(deletion);
		assertThat(page).contains("These are not all").hasSizeLessThan(200_000);
		String receipt = this.visitor.submit(deletion, deletion, "typed", "alice", "shown", shown(page)).body();
		// A slow machine leaves some of them when the time is over
		int remaining = number(receipt, "remaining");
		assertThat(number(receipt, "sessions") + remaining).isEqualTo(1000);
		assertThat(number(receipt, "changedAndLeft")).isZero();
		assertThat(shown(page(deletion)).split("[*]")).hasSize(1 + remaining);
	}

	private static int number(String receipt, String name) {
		Matcher number = Pattern.compile("&quot;" + name + "&quot;: (\\d+)").matcher(receipt);
		assertThat(number.find()).as(receipt).isTrue();
		return Integer.parseInt(number.group(1));
	}

	@ParameterizedTest
	@CsvSource({ "fork,''", "rewind,''", "delete,''", "delete,_csrf=made-up" })
	void takesNoFormThatIsNotItsOwn(String change, String form) {
		create("s1", "{}");
		assertThat(this.visitor.post(session("s1") + "/" + change, form).status()).isEqualTo(403);
		this.visitor.get("/console/apps/" + this.app);
		this.visitor.get(session("s1") + "/delete");
		assertThat(this.visitor.post(session("s1") + "/" + change, form).status()).isEqualTo(403);
		assertThat(this.http.get(api("s1")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://evil.example", "null" })
	void takesNoFormFromElsewhere(String origin) {
		create("s1", "{}");
		Answer answer = this.visitor.post(session("s1") + "/delete", "", "Origin", origin);
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.header("Content-Type")).hasValue("text/html;charset=UTF-8");
	}

	@Test
	void servesItsFilesAndNoOthers() {
		for (String file : List.of("console.css", "pico.css", "icons.svg", "console.js", "copy.js", "keys.js",
				"htmx.js", "icon.svg")) {
			Answer answer = this.visitor.get("/console/static/" + file);
			assertThat(answer.status()).as(file).isEqualTo(200);
			assertThat(this.visitor.get("/console/static/" + file, "If-None-Match", answer.etag()).status())
				.isEqualTo(304);
		}
		for (String file : List.of("other.css", "..%2F..%2Fapplication.yml", "htmx.min.js")) {
			assertThat(this.visitor.get("/console/static/" + file).status()).isBetween(400, 404);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/console/nowhere", "/console/apps/x/users/y/sessions/z", "/console/sign-in" })
	void saysOnAPageThatThereIsNothing(String path) {
		Answer answer = this.visitor.get(path);
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.body()).contains("<h1>That did not work</h1>");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	@ReadsLog
	void tellsAnOpenPageNothingWhileNothingHappens(CapturedOutput log) {
		create("quiet", "{}");
		append("quiet", "{'author': 'user'}");
		assertThat(this.visitor.get(session("quiet") + "/watch?after=1").body()).contains("retry: ")
			.doesNotContain("data");
		assertThat(log).contains("/watch").doesNotContain("could not be shown");
	}

	@Test
	void tellsAnOpenPageThatThereAreEvents() {
		create("s1", "{}");
		append("s1", "{'author': 'user'}");
		assertThat(this.visitor.get(session("s1") + "/watch?after=0").body())
			.containsPattern("id: 1\\.\\d{16}\ndata: 1\n\n");
		Answer head = this.http.send("HEAD", session("s1") + "/watch?after=0", BodyPublishers.noBody());
		assertThat(head.header("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
		assertThat(head.body()).isEmpty();
		assertThat(this.visitor.get(session("s1") + "/watch?after=7").status()).isEqualTo(400);
	}

	@Test
	void tellsAnOpenPageNothingOfALaterSession() {
		create("again", "{}");
		append("again", "{'author': 'user'}");
		Matcher address = Pattern.compile("data-watch=\"([^\"]+)\"").matcher(page(session("again")));
		assertThat(address.find()).isTrue();
		String watch = address.group(1) + "&after=0";
		assertThat(this.visitor.get(watch).body()).contains("data: 1");
		assertThat(this.http.delete(api("again")).status()).isEqualTo(204);
		create("again", "{}");
		append("again", "{'author': 'user'}");
		assertThat(this.visitor.get(watch).status()).isEqualTo(404);
	}

	@Test
	void readsNoFormThatIsBroken() {
		assertThat(this.visitor.post("/console/sign-in", "credentials=%zz").status()).isBetween(400, 404);
		assertThat(this.http
			.send("POST", "/console", BodyPublishers.ofString("x".repeat(100_000)), "Content-Type",
					"application/x-www-form-urlencoded")
			.status()).isBetween(400, 413);
	}

	private String users() {
		return "/console/apps/" + this.app + "/users";
	}

	private String sessionKey(String id) {
		return field("sessionKey", page(session(id) + "/delete"));
	}

	private static String shown(String page) {
		return field("shown", page);
	}

	private static String field(String name, String body) {
		String field = "name=\"%s\" value=\"".formatted(name);
		int start = body.indexOf(field) + field.length();
		return body.substring(start, body.indexOf('"', start));
	}

	private Answer submit(String id, String change, String... fields) {
		return this.visitor.submit(session(id) + "/" + change.replaceFirst("\\?.*", ""), session(id) + "/" + change,
				fields);
	}

	private String page(String path) {
		Answer page = this.visitor.get(path);
		assertThat(page.status()).as("%s: %s", path, page.body()).isEqualTo(200);
		return page.body();
	}

	private void create(String id, String body) {
		assertThat(this.http.post(api(id), Json.of(body)).status()).isEqualTo(200);
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

	private static String quote(String text) {
		return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;")
			.replace("<", "&lt;")
			.replace(">", "&gt;")
			.replace("\"", "&quot;")
			.replace("'", "&#39;");
	}

}
