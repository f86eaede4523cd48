package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;

/** The comparison of two sessions, in a real browser. */
class CompareBrowserTests extends BrowserTest {

	@BeforeEach
	void makeSessions() {
		create("trip", "{'state': {'city': 'Oslo', 'days': 3}}");
		append("trip",
				"{'author': 'user', 'invocationId': 'one', 'content': {'parts': [{'text': 'Somewhere warm.'}]}}");
		append("trip", "{'author': 'planner', 'invocationId': 'one', 'content': {'parts': [{'text': 'Rome.'}]},"
				+ "'actions': {'stateDelta': {'city': 'Rome'}}}");
		send(":fork", "trip", "{\"sessionId\": \"fork\", \"atSeq\": 1}");
		append("fork", "{'author': 'planner', 'invocationId': 'one', 'content': {'parts': [{'text': '**Athens.**'}]},"
				+ "'actions': {'stateDelta': {'city': 'Athens', 'by': 'ship'}}}");
	}

	@Test
	void comparesAForkWithItsSourceInOneClick() {
		signIn(Keys.READER, session("fork"));
		this.browser.follow("Compare with it");
		this.browser.await("The first event is the same.");
		assertThat(this.browser.find("#ours-2").getText()).contains("Athens.");
		assertThat(this.browser.find("#theirs-2").getText()).contains("Rome.");
		assertThat(this.browser.findAll("#ours-1, #theirs-1")).isEmpty();
		assertThat(this.browser.find(".keys").getText()).contains("city", "\"Athens\"\n\"Rome\"", "\"ship\"\nnot set")
			.doesNotContain("days");
		assertThat(this.browser.text()).contains("1 key has the same value.");
		this.browser.follow("Earlier events");
		assertThat(this.browser.findAll("#ours-1, #theirs-1")).hasSize(2);
		this.browser.clickOn("#theirs-2 .menu > summary");
		this.browser.clickOn("#theirs-2 details.raw summary");
		this.browser.clickOn("#theirs-2 .curl > summary");
		this.browser.await("curl -H");
		this.browser.checkQuiet();
	}

	@Test
	void aForkMadeHereHasANameOfItsOwn() {
		create("life", "{'state': {}, 'displayName': 'Life'}");
		append("life", "{'author': 'user', 'content': {'parts': [{'text': 'Hello'}]}}");
		signIn(Keys.AGENT, session("life") + "/fork");
		this.browser.type("input[name=id]", "other");
		this.browser.submit("main button[type=submit]");
		this.browser.await("Life (fork at 1)");
		this.browser.follow("Compare with it");
		assertThat(this.browser.find("h1").getText()).isEqualTo("Compare Life (fork at 1) other with Life life");
		this.browser.checkAccessible();
		this.browser.checkQuiet();
	}

	@Test
	void asksForTheOtherSession() {
		append("fork", "{'author': 'a', 'content': {'parts': [{'text': '<script>x</script>'}]}}");
		signIn(Keys.READER, session("trip"));
		assertThat(this.browser.find(".fork a[href$='/compare']").getText()).contains("Compare");
		this.browser.clickOn(".more > summary");
		this.browser.follow("Compare");
		this.browser.type("input[name=with]", "fork");
		this.browser.submit("main button[type=submit]");
		this.browser.await("The first event is the same.");
		assertThat(this.browser.text()).contains("<script>x</script>");
		checkPages(List.of(session("trip") + "/compare", session("fork") + "/compare",
				session("fork") + "/compare?with=trip&after=0&as=stored", session("fork") + "/compare?with=fork"));
	}

}
