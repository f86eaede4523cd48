package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.Keys.ARROW_LEFT;
import static org.openqa.selenium.Keys.ENTER;
import static org.openqa.selenium.Keys.SPACE;
import static org.openqa.selenium.Keys.TAB;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.Tokens;
import dev.agentsessions.support.Json;

/** The console in a real browser, by mouse and by keyboard. */
class ConsoleBrowserTests extends BrowserTest {

	private static final String HOSTILE = "\"><img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>\u202E{{7*7}}";

	@BeforeEach
	void makesASession() {
		create("trip",
				"{'displayName': 'A trip', 'state': {'city': 'Oslo', 'user:name': 'Mira', 'app:theme': 'dark'}}");
		append("trip",
				"{'id': 'q1', 'author': 'user', 'invocationId': 'turn-1', 'content': {'parts': [{'text': 'Somewhere warmer, please.'}]}}");
		append("trip", """
				{'id': 'a1', 'author': 'planner', 'invocationId': 'turn-1', 'content': {'parts': [
				{'functionCall': {'id': 'c1', 'name': 'find_city', 'args': {'warm': true}}}]},
				'usageMetadata': {'promptTokenCount': 120, 'candidatesTokenCount': 30, 'totalTokenCount': 150}}""");
		append("trip",
				"""
						{'id': 'a2', 'author': 'planner', 'invocationId': 'turn-1', 'content': {'parts': [
						{'functionResponse': {'id': 'c1', 'name': 'find_city', 'response': {'city': 'Rome'}}}, {'text': 'Rome, then.'}]},
						'actions': {'stateDelta': {'city': 'Rome'}}}""");
		append("trip",
				"""
						{'id': 'a3', 'author': 'planner', 'invocationId': 'turn-2', 'errorCode': 'LATE', 'errorMessage': 'The train was late.',
						'actions': {'stateDelta': {'train': 'EN 40295'}}}""");
	}

	@Test
	void leadsFromTheAppsToTheHistoryOfAKey() {
		signIn(Keys.ADMINISTRATOR, "/console");
		this.browser.click("shop");
		this.browser.click("All users");
		this.browser.await("Users of shop");
		pageTo(this.user);
		assertThat(this.browser.find("tr:has(a[href$='" + this.user + "']) [data-label=Sessions]").getText())
			.isEqualTo("1");
		this.browser.click(this.user);
		this.browser.click("A trip");
		this.browser.await("event 3 by planner");
		assertThat(this.browser.text()).contains("Somewhere warmer, please.", "Rome, then.", "The train was late.",
				"150 tokens", "Of all users of the app");
		this.browser.clickOn("#event-2 details.call summary");
		this.browser.await("\"warm\": true");
		this.browser.clickOn("a[href$='?at=3#event-3']");
		this.browser.await("3 of 4");
		this.browser.await("event 3 by planner");
		assertThat(this.browser.text()).doesNotContain("The train was late.", "EN 40295");
		this.browser.clickOn("#event-3 .menu > summary");
		this.browser.clickOn("#event-3 details.raw summary");
		this.browser.clickOn("#event-3 .curl > summary");
		this.browser.await("curl -H");
		this.browser.checkQuiet();
	}

	/** Three clicks from the page of the app. The user is not known. */
	@Test
	void leadsFromTheAppToTheEventThatFailed() {
		String tool = "tool-" + UUID.randomUUID();
		append("trip", "{'author': 'planner', 'content': {'parts': [{'functionResponse': {'name': '" + tool
				+ "', 'response': {'error': 'The hotel is full.'}}}]}}");
		append("trip", "{'author': 'planner', 'content': {'parts': [{'text': 'Later.'}]}}");
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.type("input[name=filter]", "error: tool:" + tool);
		this.browser.follow("Filter");
		assertThat(this.browser.findAll(".sessions tbody tr")).hasSize(1);
		assertThat(this.browser.find("input[name=tool]").getDomProperty("value")).isEqualTo(tool);
		for (String scheme : new String[] { "light", "dark" }) {
			this.browser.look(scheme, 1280, 900);
			this.browser.checkAccessible();
			this.browser.look(scheme, 390, 800);
			this.browser.checkAccessible();
			this.browser.checkFits();
		}
		this.browser.look("light", 1280, 900);
		this.browser.follow("event 5");
		assertThat(this.browser.path()).endsWith("?at=5#event-5");
		assertThat(this.browser.text()).contains("Answer of " + tool).doesNotContain("Later.");
		this.browser.checkQuiet();
	}

	@Test
	void keepsAFilterThatIsRefused() {
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop/users/" + this.user);
		this.browser.clickOn(".fields > summary");
		this.browser.type("input[name=label]", "no equals sign");
		this.browser.type("input[name=author]", "planner");
		this.browser.follow("Apply");
		assertThat(this.browser.find("[role=alert]").getText()).contains("key=value");
		assertThat(this.browser.find("input[name=label]").getDomProperty("value")).isEqualTo("no equals sign");
		this.browser.checkAccessible();
		this.browser.hush();
		this.browser.find("input[name=label]").clear();
		this.browser.follow("Apply");
		this.browser.await("event 4");
		this.browser.follow("today");
		this.browser.await("event 4");
		this.browser.checkAccessible();
		this.browser.checkQuiet();
	}

	@Test
	void movesEventsAndStateWithTheSlider() {
		signIn(Keys.AGENT, session("trip"));
		this.browser.await("event 4 by planner");
		awaitTokens("150");
		this.browser.script("document.getElementById('at').focus()");
		this.browser.press(ARROW_LEFT);
		this.browser.press(ARROW_LEFT);
		this.browser.await("2 of 4");
		this.browser.await("State right after event 2");
		this.browser.await("Oslo");
		assertThat(this.browser.find("#all-turns").getDomAttribute("d")).as("turns after event 2 as well")
			.isEqualTo("M1 0V1M4 0V1");
		assertThat(this.browser.text()).doesNotContain("Rome, then.");
		assertThat(this.browser.path()).endsWith("?at=2");
		this.browser.checkQuiet();
	}

	@Test
	void followsSliderThatMovesOnBeforeTheResponse() {
		signIn(Keys.AGENT, session("trip"));
		this.browser.await("event 4 by planner");
		this.browser.script("document.getElementById('at').focus()");
		this.browser.script("""
				const moveOn = (event) => {
					const slider = event.detail.requestConfig.elt;
					if (slider.id === "at") {
						document.removeEventListener("htmx:beforeOnLoad", moveOn);
						slider.stepDown();
						slider.dispatchEvent(new Event("change", { bubbles: true }));
					}
				};
				document.addEventListener("htmx:beforeOnLoad", moveOn)""");
		this.browser.press(ARROW_LEFT);
		this.browser.await("2 of 4");
		this.browser.await("State right after event 2");
		this.browser.await("Oslo");
		assertThat(this.browser.path()).endsWith("?at=2");
		this.browser.checkQuiet();
	}

	@Test
	void showsEventsAsTheyCome() {
		signIn(Keys.READER, session("trip"));
		this.browser.await("New events show here");
		awaitTokens("150");
		append("trip",
				"{'author': 'planner', 'invocationId': 'turn-3', 'content': {'parts': [{'text': 'By train.'}]}, 'actions': {'stateDelta': {'by': 'train'}}}");
		this.browser.await("By train.");
		this.browser.await("event 5 by planner");
		append("trip", """
				{'author': 'planner', 'invocationId': 'turn-3', 'longRunningToolIds': ['c3'], 'content': {'parts': [
				{'functionCall': {'id': 'c3', 'name': 'buy_ticket'}}]}, 'usageMetadata': {'totalTokenCount': 70}}""");
		this.browser.await("Waiting for an answer");
		this.browser.await("6 of 6");
		assertThat(this.browser.findAll(".turn:last-of-type .event")).hasSize(2);
		assertThat(this.browser.find(".turn:last-of-type .tokens").getText()).isEqualTo("70 tokens");
		awaitTokens("220");
		assertThat(this.browser.find("#all-turns").getDomAttribute("d")).isEqualTo("M1 0V1M4 0V1M5 0V1");
		assertThat(this.browser.find(".newest").getDomProperty("hash")).isEqualTo("#event-6");
		appendAll("trip", "more-", 70);
		this.browser.await("more-69.");
		assertThat(this.browser.findAll(".event")).hasSize(76);
		this.browser.click("Live");
		this.browser.await("Stopped.");
		append("trip", "{'author': 'planner', 'content': {'parts': [{'text': 'unseen.'}]}}");
		this.browser.click("Live");
		this.browser.await("unseen.");
		call("DELETE", "/apps/shop/users/" + this.user + "/sessions/trip").as(Keys.AGENT).send();
		this.browser.await("The session is gone.");
	}

	@Test
	void findsOutInTwoClicksWhereTokensWent() {
		append("trip", "{'author': 'planner', 'invocationId': 'turn-3', 'modelVersion': 'gemini-2.5-flash', "
				+ "'usageMetadata': {'totalTokenCount': 163760}}");
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.follow("Tokens and durations");
		assertThat(this.browser.text()).contains("gemini-2.5-flash");
		this.browser.submit("section .usage tbody tr:last-of-type a");
		assertThat(this.browser.text()).contains(this.user, "163,910");
		this.browser.checkAccessible();
		this.browser.checkQuiet();
	}

	@Test
	void answersACallThatWaits() {
		append("trip", """
				{'author': 'planner', 'invocationId': 'turn-3', 'longRunningToolIds': ['c9'], 'content': {'parts': [
				{'functionCall': {'id': 'c9', 'name': 'adk_request_confirmation', 'args': {'hint': 'Buy it?'}}}]}}""");
		signIn(Keys.AGENT, session("trip"));
		this.browser.await("Waiting for an answer");
		this.browser.clickOn(".pending a.button");
		this.browser.await("Buy it?");
		this.browser.checkAccessible();
		this.browser.click("Approve");
		this.browser.await("6 of 6");
		assertThat(this.browser.text()).contains("Answer of adk_request_confirmation").doesNotContain("Waiting for an");
		this.browser.checkQuiet();
	}

	@Test
	void findsWhatWasSaidAndForgetsIt() {
		remember("{'id': 'tea', 'text': 'Likes tea in Rome', 'author': 'planner'}");
		signIn(Keys.AGENT, user());
		this.browser.type("input[name=q]", "rome");
		this.browser.press(ENTER);
		this.browser.await("for rome");
		assertThat(this.browser.findAll("mark")).extracting((mark) -> mark.getText()).containsExactly("Rome", "Rome");
		assertThat(this.browser.text()).contains("user: Somewhere warmer, please.", "for rome", "Facts");
		this.browser.click("Forget event 3");
		this.browser.click("Forget it: event 3");
		this.browser.await("Facts");
		assertThat(this.browser.text()).doesNotContain("Somewhere warmer").contains("Likes tea");
		this.browser.click("Delete tea");
		this.browser.click("Delete it: tea");
		this.browser.await("Nothing was found.");
		assertThat(this.browser.find("input[name=q]").getDomProperty("value")).isEqualTo("rome");
		this.browser.open(user() + "/search?q=warmer");
		this.browser.clickOn(".hit a.seq");
		this.browser.await("1 of 4");
		assertThat(this.browser.path()).isEqualTo(session("trip") + "?at=1#event-1");
		this.browser.checkQuiet();
	}

	@Test
	void forksRewindsAndDeletes() {
		signIn(Keys.AGENT, session("trip"));
		this.browser.click("Fork");
		this.browser.type("input[name=id]", "by plane");
		this.browser.type("input[name=name]", "What if we fly?");
		this.browser.click("Fork");
		this.browser.await("What if we fly?");
		assertThat(this.browser.path()).isEqualTo(session("by%20plane"));
		assertThat(this.browser.text()).contains("Forked from", "at event 4");
		this.browser.clickOn("#event-4 .menu > summary");
		this.browser.clickOn("a[href$='rewind?invocation=turn-2']");
		this.browser.await("turn-2");
		this.browser.click("Rewind");
		this.browser.await("rewinds to before turn-2");
		this.browser.clickOn(".more > summary");
		this.browser.click("Delete");
		this.browser.await("cannot be restored");
		this.browser.click("Cancel");
		this.browser.clickOn(".more > summary");
		this.browser.follow("Delete");
		this.browser.click("Delete");
		this.browser.await("Facts about this user");
		assertThat(this.browser.text()).contains("A trip").doesNotContain("What if we fly?");
		this.browser.checkQuiet();
	}

	@Test
	void showsEachVisitorWhatIsTheirs() {
		signIn(Keys.READER, session("trip"));
		this.browser.await("READER: reader");
		this.browser.clickOn(".more > summary");
		assertThat(this.browser.text()).doesNotContain("Fork", "Delete", "Rewind to");
		this.browser.follow("Sign out");
		this.browser.await("API key or token");
		signIn(Keys.AGENT, session("trip"));
		this.browser.await("AGENT: agent");
		this.browser.clickOn(".more > summary");
		assertThat(this.browser.text()).contains("Fork", "Delete");
		this.browser.open("/console/apps/shop");
		assertThat(this.browser.text()).contains("are for administrators").doesNotContain(this.user);
		this.browser.follow("Sign out");
		signIn(Tokens.of(this.user), "/console/apps/shop");
		assertThat(this.browser.find("input[name=user]").getDomProperty("value")).isEqualTo(this.user);
		this.browser.click("Go there");
		this.browser.await("A trip");
		this.browser.follow("Sign out");
		signIn(Tokens.of("somebody-else"), session("trip"));
		this.browser.await("Session not found");
	}

	@Test
	void saysThatAKeyIsWrong() {
		signIn("as_guessed", "/console");
		this.browser.await("not valid");
		assertThat(this.browser.text()).contains("API key or token");
	}

	@Test
	void showsHostileTextAsText() {
		String text = Json.object("x", HOSTILE).replaceFirst("^\\{\"x\":", "").replaceFirst("}$", "");
		this.user = HOSTILE + "/\\;%";
		String id = HOSTILE.replaceAll("[/\\\\;%]", "_");
		call("POST", "/apps/shop/users/" + encode(this.user) + "/sessions/" + encode(id)).as(Keys.AGENT)
			.json("""
					{"displayName":%1$s,"labels":{%1$s:%1$s},"state":{%1$s:%1$s},"events":[{"author":%1$s,"invocationId":%1$s,
					"errorMessage":%1$s,"content":{"parts":[{"text":%1$s},{"functionCall":{"name":%1$s,"args":{%1$s:%1$s}}},
					{"inlineData":{"mimeType":%1$s,"data":"AAAA"}},{"fileData":{"fileUri":"javascript:alert(1)"}}]},
					"actions":{"stateDelta":{%1$s:[%1$s]}}}]}"""
				.formatted(text))
			.send();
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop/users");
		pageTo("{{7*7}}/\\;%");
		this.browser.checkAccessible();
		this.browser.look("light", 375, 700);
		this.browser.checkFits();
		assertThat(this.browser.title()).doesNotContain("broken");
		this.browser.look("light", 1280, 900);
		this.browser.open("/console/apps/shop?order=time");
		this.browser.clickOn(".sessions tbody a");
		this.browser.await("event 1 by");
		this.browser.unfold();
		this.browser.unfold();
		this.browser.await("curl -H");
		assertThat(this.browser.findAll("main img:not([src^='/console/']), main script, a[href^=javascript]"))
			.isEmpty();
		assertThat(this.browser.title()).contains("<script>");
		this.browser.checkAccessible();
		this.browser.look("light", 375, 700);
		this.browser.checkFits();
		remember(Json.object("text", HOSTILE + " memory"));
		for (String page : List.of("/search?q=onerror", "/facts", "/sessions/" + encode(id) + "/search?q=onerror")) {
			this.browser.open(user() + page);
			this.browser.await("{{7*7}}");
			assertThat(this.browser.findAll("main img, main script")).isEmpty();
			assertThat(this.browser.title()).doesNotContain("broken");
			this.browser.checkAccessible();
			this.browser.checkFits();
		}
		for (String link : new String[] { "Rewind to before this invocation", "Fork", "Delete" }) {
			this.browser.open("/console/apps/shop/users/" + encode(this.user) + "/sessions/" + encode(id));
			this.browser.clickOn(link.equals("Delete") ? ".more > summary" : ".menu > summary");
			this.browser.click(link);
			this.browser.checkFits();
			assertThat(this.browser.title()).doesNotContain("broken");
		}
		this.browser.checkQuiet();
	}

	@Test
	void keepsNobodyOut() {
		append("trip",
				"{'author': 'planner', 'longRunningToolIds': ['w1'], 'content': {'parts': [{'functionCall': {'id': 'w1', 'name': 'approve', 'args': {'sum': 5}}}, {'inlineData': {'mimeType': 'image/png', 'data': 'AAAA'}}]}}");
		remember("{'id': 'tea', 'text': 'Likes warmer tea', 'author': 'planner', 'metadata': {'from': 'a form'}}");
		signIn(Keys.ADMINISTRATOR, "/console");
		List<String> pages = List.of("/console", "/console/apps/shop", "/console/apps/shop/users", user(),
				user() + "/search?q=warmer+rome+likes", user() + "/facts", user() + "/search?q=" + "x".repeat(2001),
				session("trip") + "/search?q=rome", session("trip"), session("trip") + "?at=2",
				session("trip") + "?as=stored", session("trip") + "?view=context", session("trip") + "/compare",
				session("trip") + "/compare?with=other", "/console/apps/shop?error=true&from=never",
				session("trip") + "/usage", user() + "/usage?by=model", "/console/apps/shop/usage",
				"/console/apps/shop/usage?by=user", "/console/apps/shop/usage?from=2020-01-01",
				session("trip") + "/state", session("trip") + "/turn?at=1", session("trip") + "/turn?at=4",
				session("trip") + "/events/a2", session("trip") + "/fork",
				session("trip") + "/rewind?invocation=turn-2", session("trip") + "/delete", session("none"));
		checkLayouts(pages);
		this.browser.follow("Sign out");
		for (String scheme : List.of("light", "dark")) {
			this.browser.look(scheme, 375, 700);
			this.browser.checkAccessible();
			this.browser.checkFits();
		}
		this.browser.look("light", 1280, 900);
	}

	@Test
	void isUsedByKeyboardAlone() {
		this.browser.open("/console");
		this.browser.type("input[name=credentials]", Keys.AGENT.key());
		this.browser.press(ENTER);
		this.browser.await("shop");
		tabTo("shop");
		this.browser.press(ENTER);
		tabTo("user");
		this.browser.script("document.activeElement.value = arguments[0]", this.user);
		this.browser.press(ENTER);
		this.browser.await("A trip");
		tabTo("A trip");
		this.browser.press(ENTER);
		this.browser.await("event 3 by planner");
		tabTo("More about event 2");
		this.browser.press(SPACE);
		tabTo("Fork here");
		tabTo("Call of find_city \"warm\": true → \"city\": \"Rome\"");
		this.browser.press(SPACE);
		this.browser.await("\"warm\": true");
		assertThat(this.browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
			.isEqualTo("solid");
		tabTo("Live");
		this.browser.press(SPACE);
		this.browser.await("Stopped.");
		tabTo("More actions");
		this.browser.press(SPACE);
		tabTo("Delete");
		this.browser.press(ENTER);
		this.browser.await("Delete this session?");
		tabTo("Delete");
		this.browser.press(ENTER);
		this.browser.await("There are none.");
	}

	@Test
	void leadsToAUserByKeyboardAlone() {
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.await("All users");
		tabTo("All users");
		this.browser.press(ENTER);
		this.browser.await("Users of shop");
		pageTo(this.user);
		tabTo(this.user);
		this.browser.press(ENTER);
		this.browser.await("A trip");
		this.browser.checkQuiet();
	}

	@Test
	void opensALongSessionWithoutLoadingAllOfIt() {
		create("long", "{}");
		for (int i = 0; i < 5; i++) {
			appendAll("long", "t" + i + "-", 1000);
		}
		signIn(Keys.AGENT, session("long"));
		this.browser.await("t4-999.");
		assertThat(this.browser.findAll(".event")).hasSize(50);
		assertThat(this.browser.script("""
				return [...document.querySelectorAll('.pages a')].filter((link) => link.textContent === 'First events')
					.some((link) => link.getBoundingClientRect().bottom <= window.innerHeight)""")).isEqualTo(true);
		this.browser.script("window.scrollTo(0, 0)");
		this.browser.click("Older events");
		this.browser.await("t4-949.");
		assertThat(this.browser.findAll(".event")).hasSize(50);
	}

	/**
	 * Goes on to the page of the list that has this; other tests have made users, too.
	 */
	private void pageTo(String text) {
		while (!this.browser.text().contains(text)) {
			this.browser.follow("Next page");
		}
	}

	/** Waits for the total of the session. */
	private void awaitTokens(String total) {
		this.browser.await(total + " tokens · ");
	}

	/** Goes on with the tabulator until the focus is there. */
	private void tabTo(String name) {
		for (int i = 0; i < 100 && !this.browser.focus().equals(name); i++) {
			this.browser.press(TAB);
		}
		assertThat(this.browser.focus()).isEqualTo(name);
	}

	private String user() {
		return "/console/apps/shop/users/" + encode(this.user);
	}

	private void remember(String fact) {
		call("POST", "/apps/shop/users/" + encode(this.user) + "/memories").as(Keys.AGENT).json(Json.of(fact)).send();
	}

	private void appendAll(String id, String text, int count) {
		String events = IntStream.range(0, count)
			.mapToObj((event) -> "{'author': 'a', 'invocationId': 'i%d', 'content': {'parts': [{'text': '%s%d.'}]}}"
				.formatted(event / 4, text, event))
			.collect(Collectors.joining(","));
		send("/events:batch", id, Json.of("{'events': [" + events + "]}"));
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
