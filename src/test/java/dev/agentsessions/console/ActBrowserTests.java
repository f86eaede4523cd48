package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/** What a person takes from the pages, by mouse and by keyboard, in a real browser. */
class ActBrowserTests extends BrowserTest {

	private static final String KEEP_COPIES = "window.copies = []; navigator.clipboard.writeText = "
			+ "(text) => { document.title = 'copies: ' + window.copies.push(text); return Promise.resolve(); }";

	@Test
	void copiesIdsCommandsAndJson() {
		create("s1", "{'state': {'a': 1}}");
		append("s1", "{'id': 'e1', 'author': 'a', 'content': {'parts': [{'text': 'one'}]}}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("there from the beginning");
		this.browser.script(KEEP_COPIES);
		this.browser.clickOn("#event-1 .menu > summary");
		this.browser.clickOn("#event-1 details.raw summary");
		this.browser.await("All of it, as it is stored");
		this.browser.clickOn(".about > summary");
		List<String> buttons = List.of("dd .copy", "#event-1 .menu p .copy", "#event-1 .json + .copy",
				".state .curl .copy");
		for (String button : buttons) {
			if (button.startsWith(".state")) {
				this.browser.clickOn(".drawer > summary");
				this.browser.clickOn(".state .curl > summary");
			}
			this.browser.clickOn(button);
			this.browser.awaitTitle("copies: " + (buttons.indexOf(button) + 1));
		}
		this.browser.await("Copied");
		List<?> copies = (List<?>) this.browser.script("return window.copies");
		assertThat(copies.subList(0, 2)).isEqualTo(List.of("s1", "e1"));
		assertThat(copies.get(2).toString()).startsWith("{\"id\":\"e1\"");
		assertThat(copies.get(3).toString()).startsWith("curl -H").contains("/sessions/s1?numRecentEvents=50");
		this.browser.checkQuiet();
	}

	@Test
	void hasACommandAndAFileForEveryList() {
		create("s1", "{'state': {}, 'displayName': '=1+1', 'labels': {'kind': 'rare'}}");
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop/users/" + this.user + "?label=kind%3Drare");
		String list = "/console/apps/shop/users/" + this.user + "/sessions.csv?label=kind%3Drare";
		assertThat(this.browser.find("a[download]").getDomAttribute("href")).isEqualTo(list);
		assertThat(this.browser.find(".curl textarea").getDomProperty("value")).contains("&label=kind%3Drare'");
		assertThat(file(list)).startsWith("\"user\",\"session\",\"name\"")
			.contains("\"" + this.user + "\",\"s1\",\"'=1+1\",\"kind=rare\",\"0\"");
		assertThat(file("/console/apps/shop/users.csv")).contains("\"" + this.user + "\",\"1\"");
		assertThat(file("/console/apps/shop/sessions.csv?order=time")).contains("\"s1\"");
		checkPages(List.of("/console", "/console/apps/shop", "/console/apps/shop/users",
				"/console/apps/shop/users/" + this.user));
	}

	@Test
	void downloadsASessionThatAnImportTakes() {
		create("s1", "{'state': {'a': 1, 'user:b': 2}}");
		append("s1", "{'id': 'e1', 'author': 'a', 'actions': {'stateDelta': {'a': 2}}}");
		create("other", "{}");
		signIn(Keys.READER, session("s1"));
		String export = file(session("s1") + "/download");
		assertThat(export).contains("\"kind\":\"sessionEnd\"", "\"sessions\":1").doesNotContain("userState", "other");
		String copy = "/apps/shop/users/copy-" + this.user;
		String body = export.replace(this.user, "copy-" + this.user);
		assertThat(call("POST", copy + ":import").as(Keys.AGENT).lines(body).send().body()).contains("\"events\":1");
		assertThat(call("GET", copy + "/sessions/s1").as(Keys.AGENT).send().body()).contains("\"e1\"", "\"a\":2");
	}

	@Test
	void leadsFromEventToEventByKeys() {
		create("s1", "{}");
		for (String invocation : List.of("one", "one", "two", "two", "three")) {
			append("s1", "{'author': 'a', 'invocationId': '" + invocation + "', 'content': {'parts': [{'text': 'x'}]}"
					+ (invocation.equals("two") ? ", 'errorCode': 'LATE'}" : "}"));
		}
		signIn(Keys.READER, session("s1"));
		this.browser.await("Expand all");
		this.browser.keys("?");
		this.browser.await("next, previous event");
		this.browser.keys("?");
		this.browser.script("document.querySelector('#event-1').focus()");
		this.browser.keys("jj");
		assertThat(focus()).isEqualTo("event-3");
		this.browser.keys("kk");
		assertThat(focus()).isEqualTo("event-1");
		this.browser.keys("JJ");
		assertThat(focus()).isEqualTo("event-5");
		this.browser.keys("K");
		assertThat(focus()).isEqualTo("event-3");
		this.browser.keys("ee");
		assertThat(focus()).isEqualTo("event-4");
		assertThat(this.browser.text()).contains("No later error on this page.");
		this.browser.keys("E");
		assertThat(focus()).isEqualTo("event-3");
		this.browser.clickOn(".state .curl > summary");
		this.browser.script("document.querySelector('.curl textarea').focus()");
		this.browser.keys("j");
		assertThat(this.browser.script("return document.activeElement.tagName")).isEqualTo("TEXTAREA");
		this.browser.clickOn("#help");
		this.browser.clickOn("#shortcuts button");
		this.browser.script("document.querySelector('#event-1').focus()");
		this.browser.keys("j");
		assertThat(focus()).isEqualTo("event-1");
		this.browser.clickOn("#shortcuts button");
		checkPages(List.of(session("s1")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/compare", "/events/e1", "/state", "/answer?seq=1&call=c1", "/fork" })
	void hasNoDeadButtonWithoutScripts(String page) {
		create("s1", "{}");
		append("s1", "{'id': 'e1', 'author': 'a', 'longRunningToolIds': ['c1'], 'content': {'parts': [{'functionCall':"
				+ " {'id': 'c1', 'name': 'buy'}}]}}");
		signIn(Keys.AGENT, session("s1"));
		this.browser.runScripts(false);
		this.browser.open(session("s1") + page);
		this.browser.runScripts(true);
		assertThat(this.browser.findAll("button").stream().filter((button) -> button.isDisplayed())).isNotEmpty()
			.allSatisfy((button) -> assertThat(button.getDomProperty("type")).isEqualTo("submit"));
		assertThat(this.browser.findAll(".copy")).isEmpty();
	}

	@Test
	void saysWhatToDoWhereThereIsNothing() {
		signIn(Keys.AGENT, "/console/apps/shop/users/" + this.user);
		String command = this.browser.find(".empty textarea").getDomProperty("value");
		assertThat(command).contains("/apps/shop/users/" + this.user + "/sessions/my-session'", "-d '{");
		create("s1", "{}");
		this.browser.open(session("s1"));
		assertThat(this.browser.text()).contains("Nothing has happened yet.", "There is no key.");
		assertThat(this.browser.find(".empty textarea").getDomProperty("value")).contains("/sessions/s1/events'");
		send("/events", "s1", Json.of("{'author': 'user', 'content': {'parts': [{'text': 'Hello'}]}}"));
		this.browser.await("Hello");
		this.browser.awaitGone(".empty");
		checkPages(List.of("/console/apps/shop/users/nobody-" + this.user, session("s1") + "?at=0"));
	}

	private String focus() {
		return String.valueOf(this.browser.script("return document.activeElement.id"));
	}

	/** Reads a file as the page of this browser, with its cookie. */
	private String file(String path) {
		return String.valueOf(
				this.browser.script("return fetch(arguments[0]).then((file) => file.headers.get('Content-Disposition')"
						+ ".startsWith('attachment') ? file.text() : 'no file')", path));
	}

}
