package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/** The pages above those of a session, in a real browser. */
class OverviewBrowserTests extends BrowserTest {

	@Test
	void findsWordsAmongManyNewEventsWithoutASecondTry() {
		String word = "\u4eac\u90fd";
		for (int session = 0; session < 19; session++) {
			create("s" + session, "{}");
			appendMany("s" + session, 500, "Osaka");
		}
		create("newest", "{}");
		appendMany("newest", 1, word);
		signIn(Keys.READER, "/console/apps/shop/users/" + this.user);
		this.browser.type("input[name=q]", word);
		this.browser.submit("form[aria-label='Search what was said'] button");
		assertThat(this.browser.text()).contains("of 9,501 events are searched.", "Nothing was found so far.");
		this.browser.checkAccessible();
		this.browser.awaitGone(".searching");
		assertThat(this.browser.findAll(".hit mark")).hasSize(1);
		this.browser.checkQuiet();
		checkPages(List.of("/console/apps/shop/users/" + this.user + "/search?q=osaka"));
	}

	/**
	 * The other users are erased again, as other tests look at the first users of the
	 * app.
	 */
	@Test
	void searchesAllUsersOfAnApp() {
		List<String> users = IntStream.range(0, 101).mapToObj((number) -> this.user + "-" + number).toList();
		String word = "palimpsest" + this.user.replaceAll("\\W", "").substring(0, 12);
		try {
			for (String other : users) {
				this.user = other;
				create("s1", "{}");
			}
			appendMany("s1", 1, word);
			signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
			this.browser.type("input[type=search]", word);
			this.browser.submit("form[action$='/shop/search'] button");
			String first = this.browser.path();
			this.browser.await("Hits until now: 1.");
			this.browser.awaitGone("#progress a");
			assertThat(this.browser.findAll(".hit mark")).hasSize(1);
			checkEveryLook();
			searchOnWithoutScripts(first);
			this.browser.checkQuiet();
		}
		finally {
			users.forEach((other) -> call("DELETE", "/apps/shop/users/" + other).as(Keys.ADMINISTRATOR).send());
		}
	}

	private void searchOnWithoutScripts(String first) {
		this.browser.runScripts(false);
		this.browser.open(first);
		int hits = this.browser.findAll(".hit mark").size();
		while (!this.browser.findAll("#progress a").isEmpty()) {
			assertThat(this.browser.text()).doesNotContain("Nothing was found.");
			this.browser
				.open(this.browser.find("#progress a").getDomProperty("href").replaceFirst("^http://[^/]+", ""));
			hits += this.browser.findAll(".hit mark").size();
		}
		this.browser.runScripts(true);
		assertThat(hits).isEqualTo(1);
	}

	@Test
	void saysWhatIsAskedAndKeepsSecrets() {
		create("s1", "{}");
		append("s1", """
				{'author': 'agent', 'longRunningToolIds': ['c1', 'c2', 'c3'], 'content': {'parts': [
				{'functionCall': {'id': 'c1', 'name': 'adk_request_confirmation', 'args': {
				'originalFunctionCall': {'name': 'book_flight', 'args': {'to': 'Rome', 'price': 320}},
				'toolConfirmation': {'hint': 'Book the flight?'}}}},
				{'functionCall': {'id': 'c2', 'name': 'adk_request_input', 'args': {'message': 'Which day?'}}},
				{'functionCall': {'id': 'c3', 'name': 'adk_request_credential', 'args': {'authConfig': {
				'authScheme': {'type': 'openIdConnect', 'scopes': ['mail.read']},
				'rawAuthCredential': {'authType': 'openIdConnect', 'oauth2': {'clientSecret': 'hunter2'}}}}}}]}}""");
		signIn(Keys.AGENT, session("s1"));
		this.browser.await("Confirmation of the call of book_flight");
		checkWhileExchanged("#keys, #pending, #usage, #turns");
		assertThat(this.browser.text()).contains("Book the flight?", "\"to\": \"Rome\", \"price\": 320", "Which day?",
				"Scheme: openIdConnect\nScopes: mail.read");
		this.browser.follow("Answer adk_request_credential");
		assertThat(this.browser.script("return document.documentElement.outerHTML").toString())
			.contains("mail.read", "Raw JSON")
			.doesNotContain("hunter2", "Approve");
		String form = this.browser.path();
		checkPages(
				List.of(session("s1"), form, form.replace("call=c3", "call=c1"), form.replace("call=c3", "call=c2")));
	}

	@Test
	void showsThirtySessionsOnAScreen() {
		IntStream.range(0, 35).forEach((number) -> create("session-" + number, "{'displayName': 'A trip'}"));
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop/users/" + this.user);
		this.browser.await("Copy id");
		this.browser.look("light", 1440, 940);
		Object shown = this.browser.script("""
				document.querySelector('.sessions').scrollIntoView();
				return [...document.querySelectorAll('.sessions tbody tr')].map((row) => row.getBoundingClientRect())
					.filter((place) => place.top >= 0 && place.bottom <= window.innerHeight).length""");
		assertThat((Long) shown).isGreaterThanOrEqualTo(30);
		checkEveryLook();
	}

	/** The contents are the first screen: what leads to them takes a quarter of it. */
	@Test
	void beginsTheListOfAnAppAndOfAUserNearTheTop() {
		IntStream.range(0, 41).forEach((number) -> create("session-" + number, "{'displayName': 'A trip'}"));
		append("session-1", "{'author': 'a', 'longRunningToolIds': ['c1'], 'content': {'parts': [{'functionCall': "
				+ "{'id': 'c1', 'name': 'buy'}}]}}");
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.look("light", 1440, 900);
		assertThat(firstRow()).isLessThanOrEqualTo(260);
		this.browser.open("/console/apps/shop?filter=error:+since:2020-01-01");
		assertThat(firstRow()).isLessThanOrEqualTo(260);
		checkEveryLook();
		this.browser.look("light", 1440, 900);
		this.browser.open("/console/apps/shop/users/" + this.user + "?prefix=session");
		assertThat(firstRow()).isLessThanOrEqualTo(260);
	}

	private long firstRow() {
		return (Long) this.browser.script("const row = document.querySelector('.sessions tbody tr'); "
				+ "return row ? Math.round(row.getBoundingClientRect().top + window.scrollY) : 0");
	}

	/** All that a page loads, as it is sent, is small enough for a slow line. */
	@Test
	void loadsLittle() {
		create("s1", "{}");
		appendMany("s1", 50, "Where shall we go, and how would you like to travel there? ".repeat(3));
		signIn(Keys.READER, session("s1"));
		this.browser.await("live");
		Object sent = this.browser
			.script("""
					const files = [...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((file) => file.href || file.src);
					return Promise.all([location.href, ...files].map((file) => fetch(file, { cache: "reload" }).then((found) => found.text())))
						.then(() => performance.getEntriesByType("resource").filter((entry) => entry.initiatorType === "fetch"))
						.then((sent) => sent.reduce((sum, entry) => sum + entry.encodedBodySize, 0))""");
		assertThat((Long) sent).isBetween(20_000L, 200_000L);
	}

	@Test
	void leadsFromTheAppToFailuresInOneClick() {
		create("s1", "{}");
		append("s1", "{'author': 'a', 'content': {'parts': [{'functionResponse': {'name': 'book_hotel',"
				+ "'response': {'error': 'fully <b>booked</b> " + this.user + "'}}}]}}");
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.follow("Failures");
		assertThat(this.browser.text()).contains("book_hotel", "fully <b>booked</b> " + this.user.substring(0, 5));
		this.browser.find(".failures a[href*='" + this.user + "']").click();
		this.browser.await("Answer of book_hotel: failed");
		checkPages(List.of("/console/apps/shop/failures", "/console/apps/shop?error=true"));
	}

	@Test
	void drawsWhereTokensAndTimeWent() {
		create("s1", "{}");
		for (int turn = 0; turn < 12; turn++) {
			append("s1", "{'author': 'user', 'invocationId': 'i%d'}".formatted(turn));
			append("s1",
					"""
							{'author': 'a', 'invocationId': 'i%1$d', 'modelVersion': 'model-%2$d', 'usageMetadata': {
							'totalTokenCount': %3$d}, 'content': {'parts': [{'functionCall': {'id': 'c', 'name': 'tool_%2$d'}}]}}"""
						.formatted(turn, turn % 7, 100 + turn));
			append("s1", """
					{'author': 'a', 'invocationId': 'i%1$d', 'content': {'parts': [{'functionResponse': {'id': 'c',
					'name': 'tool_%2$d', 'response': {%3$s}}}]}}""".formatted(turn, turn % 7,
					(turn % 5 == 0) ? "'error': 'full'" : ""));
		}
		signIn(Keys.ADMINISTRATOR, "/console/apps/shop");
		this.browser.follow("Tokens and durations");
		assertThat(this.browser.text()).contains("Tokens by day", "Turns with an error by day", "Calls by tool",
				"Durations of models and tools", "Days go by the time at which the service stored an event.");
		assertThat(this.browser.findAll(".chart .bar.error").size()).isGreaterThan(2);
		checkEveryLook();
		this.browser.unfold();
		checkEveryLook();
		this.browser.find(".chart table a[href*='tool=']").click();
		this.browser.await("Fields and order");
		this.browser.checkQuiet();
	}

	@Test
	void showsOnTheStartPageWhatWaits() {
		create("s1", "{}");
		append("s1", "{'author': 'a', 'longRunningToolIds': ['c1'], 'content': {'parts': [{'functionCall': {'id': 'c1',"
				+ "'name': 'buy_" + this.user + "', 'args': {'a': 1}}}]}}");
		signIn(Keys.ADMINISTRATOR, "/console");
		this.browser.await("Users today");
		assertThat(this.browser.text()).contains("Last activity", "Waiting for an answer");
		this.browser.await("Tokens in 7 days");
		checkEveryLook();
		checkWhileExchanged("main tr, #inbox");
		checkPages(List.of("/console"));
		String user = "/console/apps/shop/users/" + this.user;
		checkPages(List.of(user, user + "/erase"));
		checkDeletionOfMany(user);
		this.browser.open(user);
		this.browser.follow("Erase this user");
		this.browser.type("input[name=typed]", this.user);
		this.browser.submit("main button.danger");
		this.browser.await("Copy receipt");
		assertThat(this.browser.find("textarea").getDomProperty("value")).contains("\"sessions\": 1", "requestId");
		this.browser.checkAccessible();
		this.browser.checkQuiet();
	}

	private void checkDeletionOfMany(String user) {
		create("old-1", "{}");
		checkPages(List.of(user + "?prefix=old", user + "/delete-sessions?prefix=old"));
		this.browser.open(user + "?prefix=old");
		this.browser.follow("Delete these sessions…");
		this.browser.type("input[name=typed]", this.user);
		this.browser.submit("main button.danger");
		this.browser.await("Copy receipt");
		checkEveryLook();
		this.browser.follow("Back to the list");
		assertThat(this.browser.text()).contains("No session matches.");
	}

	private void appendMany(String session, int count, String text) {
		String events = IntStream.range(0, count)
			.mapToObj(
					(number) -> "{'author': 'user', 'content': {'parts': [{'text': '%s %d'}]}}".formatted(text, number))
			.collect(Collectors.joining(","));
		send("/events:batch", session, Json.of("{'events': [" + events + "]}"));
	}

}
