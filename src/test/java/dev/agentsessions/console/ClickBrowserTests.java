package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/**
 * Tasks in a real browser, with the number of clicks that docs/console.md says. The
 * clicks begin on the page of the app.
 */
class ClickBrowserTests extends BrowserTest {

	private static final String APP = "/console/apps/shop";

	@Autowired
	private JdbcTemplate jdbc;

	private int clicks;

	@BeforeEach
	void begin() {
		this.clicks = 0;
		create(id(), "{}");
	}

	@Test
	void namesAToolThatFailedYesterday() throws IOException {
		append(id(), "{'author': 'a', 'content': {'parts': [{'functionResponse': {'name': 'book_hotel',"
				+ "'response': {'error': 'fully booked " + this.user + "'}}}]}}");
		String ofUser = " - interval '1 day' where session_key in (select session_key from sessions where user_id = ?)";
		this.jdbc.update("update events set commit_time = commit_time" + ofUser, this.user);
		this.jdbc.update("update sessions set create_time = create_time - interval '1 day', "
				+ "last_update_time = last_update_time" + ofUser, this.user);
		signIn(Keys.ADMINISTRATOR, APP);
		click("yesterday");
		this.browser.await("book_hotel: fully booked " + this.user);
		check("find the sessions with an error of yesterday");
	}

	@Test
	void approvesACallThatSaysWhatItAsks() throws IOException {
		append(id(), """
				{'author': 'agent', 'longRunningToolIds': ['c1'], 'content': {'parts': [{'functionCall': {'id': 'c1',
				'name': 'adk_request_confirmation', 'args': {'originalFunctionCall': {'name': 'book_flight',
				'args': {'to': 'Rome'}}, 'toolConfirmation': {'hint': 'Book it for %s?'}}}}]}}""".formatted(this.user));
		this.jdbc.update("update pending_calls set open_time = '2000-01-01' where session_key in "
				+ "(select session_key from sessions where user_id = ?)", this.user);
		signIn(Keys.ADMINISTRATOR, APP);
		this.browser.await("Book it for " + this.user + "?");
		click("Answer adk_request_confirmation");
		click("Approve");
		this.browser.await("Answer of adk_request_confirmation");
		check("approve a call that waits");
	}

	@Test
	void saysWhereTheTokensWent() throws IOException {
		append(id(), "{'author': 'a', 'modelVersion': 'model-of-clicks', 'usageMetadata': {'totalTokenCount': 7}}");
		signIn(Keys.ADMINISTRATOR, APP);
		click("Tokens and durations");
		this.browser.await("model-of-clicks");
		this.browser.await(this.user);
		check("see where the tokens of the last 7 days went");
		this.browser.awaitGone(".htmx-request, .htmx-swapping, .htmx-settling");
		checkEveryLook();
		this.browser.checkQuiet();
	}

	@Test
	void findsWordsAmong5000Events() throws IOException {
		String word = "\u4eac\u90fd";
		for (int batch = 0; batch < 10; batch++) {
			send("/events:batch", id(),
					Json.of(IntStream.range(0, 500)
						.mapToObj((event) -> "{'author': 'user', 'content': {'parts': [{'text': 'Osaka'}]}}")
						.collect(Collectors.joining(",", "{'events': [", "]}"))));
		}
		append(id(), "{'author': 'user', 'content': {'parts': [{'text': '%s'}]}}".formatted(word));
		signIn(Keys.ADMINISTRATOR, APP);
		goToUser();
		this.browser.type("input[name=q]", word);
		submit("form[aria-label='Search what was said'] button");
		this.browser.await(word);
		this.browser.awaitGone(".searching");
		assertThat(this.browser.findAll(".hit mark")).hasSize(1);
		check("search for words in all sessions of a user");
	}

	@Test
	void findsASlowTurnOfAnybodyAndDrawsIt() throws IOException {
		appendSlowTurn();
		signIn(Keys.ADMINISTRATOR, APP);
		click("Tokens and durations");
		submit(".chart a[href*='/" + this.user + "/'][href$='/turn?at=1']");
		assertThat(this.browser.find("h1").getText()).isEqualTo("Timeline of invocation i");
		assertThat(this.browser.findAll(".waterfall .bar")).isNotEmpty();
		check("see what took the time in the slowest turns");
	}

	@Test
	void drawsASlowTurnOfAKnownSession() throws IOException {
		appendSlowTurn();
		signIn(Keys.ADMINISTRATOR, APP);
		this.browser.type("main input[name=session]", id());
		submit("form[action$='/find'] button");
		this.clicks++;
		this.browser.clickOn(".took > summary");
		this.browser.await("The times are those at which the service stored the events.");
		assertThat(this.browser.findAll(".waterfall .bar")).isNotEmpty();
		check("see what took the time in a turn of a known session");
	}

	/** Other tests have no turn of two days. */
	private void appendSlowTurn() {
		append(id(), "{'author': 'user', 'invocationId': 'i', 'content': {'parts': [{'text': 'Slow?'}]}}");
		append(id(), "{'author': 'a', 'invocationId': 'i', 'content': {'parts': [{'text': 'Yes.'}]}}");
		this.jdbc
			.update("update events set commit_time = commit_time - interval '2 days' where seq = 1 and session_key "
					+ "in (select session_key from sessions where user_id = ?)", this.user);
	}

	@Test
	void erasesAUserWithAReceipt() throws IOException {
		signIn(Keys.ADMINISTRATOR, APP);
		goToUser();
		click("Erase this user");
		this.browser.type("input[name=typed]", this.user);
		submit("main button.danger");
		this.browser.await("Copy receipt");
		check("erase a user with a receipt");
	}

	private String id() {
		return "of-" + this.user;
	}

	private void goToUser() {
		this.browser.type("main input[name=user]", this.user);
		submit("form[action$='/find'] button");
	}

	private void click(String text) {
		this.clicks++;
		this.browser.follow(text);
	}

	private void submit(String button) {
		this.clicks++;
		this.browser.submit(button);
	}

	/** Fails if the page of the console promises another number of clicks for a task. */
	private void check(String task) throws IOException {
		String row = Files.readAllLines(Path.of("docs/console.md"))
			.stream()
			.filter((line) -> line.startsWith("| " + task))
			.findFirst()
			.orElseThrow();
		assertThat(row.replaceFirst("^[^:]*: (\\d+).*", "$1")).as(row).isEqualTo(String.valueOf(this.clicks));
	}

}
