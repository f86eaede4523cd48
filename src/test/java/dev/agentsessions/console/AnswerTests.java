package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Answers to function calls that wait, from the form of the console. */
@HttpTest
class AnswerTests {

	private static final Pattern SESSION_KEY = Pattern.compile("name=\"sessionKey\" value=\"([^\"]+)\"");

	private final Api api;

	private final PageVisitor visitor;

	AnswerTests(Http http) {
		this.api = new Api(http);
		this.visitor = new PageVisitor(http.port());
	}

	@BeforeEach
	void createSession() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "buy | approve | `` | {'status': 'approved'}", "buy | refuse | `` | {'status': 'rejected'}",
					"buy | send | {'price': [1.50]} | {'price': [1.50]}",
					"adk_request_confirmation | approve | `` | {'confirmed': true}",
					"adk_request_confirmation | refuse | `` | {'confirmed': false}",
					"adk_request_confirmation | approve | {'n': 1} | {'confirmed': true, 'payload': {'n': 1}}",
					"adk_request_input | send | Rome, \u5148 | {'result': 'Rome, \u5148'}" })
	void appendsTheResponseThatAdkExpects(String name, String choice, String text, String response) {
		call(name);
		assertThat(this.visitor.get(session()).body()).contains("/answer?seq=1&amp;call=c%201");
		assertThat(submit(sessionKey(), choice, Json.of(text)).header("Location")).hasValue(session());
		JsonNode event = this.api.events("s1", "order=desc").at("/events/0");
		assertThat(event.at("/author").stringValue()).isEqualTo("user");
		assertThat(event.at("/invocationId").stringValue()).isEqualTo("turn-1");
		assertThat(event.at("/branch").stringValue()).isEqualTo("root.buyer");
		assertThat(event.at("/isolationScope").stringValue()).isEqualTo("task-1");
		assertThat(event.at("/customMetadata/answeredBy").stringValue()).isNotBlank();
		assertThat(event.at("/content/role").stringValue()).isEqualTo("user");
		assertThat(event.at("/content/parts/0/functionResponse"))
			.isEqualTo(Json.node("{'id': 'c 1', 'name': '%s', 'response': %s}".formatted(name, response)));
		assertThat(this.visitor.get(session()).body()).doesNotContain("Waiting for an answer");
	}

	@Test
	void anAnsweredCallTakesNoSecondAnswer() {
		call("buy");
		String sessionKey = sessionKey();
		assertThat(submit(sessionKey, "approve", "").status()).isEqualTo(303);
		String otherForm = session() + "/fork";
		assertThat(post(otherForm, sessionKey, "refuse", "").status()).isEqualTo(400);
		assertThat(this.visitor.get(form()).body()).contains("does not wait for an answer any more");
		assertThat(this.api.events("s1", "").at("/events")).hasSize(2);
	}

	/** The page was open while the session was removed and another one got its name. */
	@Test
	void aLaterSessionOfTheSameNameTakesNoAnswer() {
		call("buy");
		String sessionKey = sessionKey();
		this.api.delete("s1");
		createSession();
		call("buy");
		assertThat(submit(sessionKey, "approve", "").status()).isEqualTo(412);
		assertThat(this.api.events("s1", "").at("/events")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "buy,send", "adk_request_confirmation,approve" })
	void whatIsTypedStaysIfItIsNoJson(String name, String choice) {
		call(name);
		Answer answer = submit(sessionKey(), choice, "{oh <b>no");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body()).contains("is not valid JSON", "{oh &lt;b&gt;no</textarea>");
		assertThat(this.api.events("s1", "").at("/events")).hasSize(1);
	}

	@Test
	void answersACallWithALongId() {
		String id = "/+ %=a".repeat(1365);
		call("buy", id);
		Matcher link = Pattern.compile("href=\"([^\"]+/answer[^\"]+)\"").matcher(this.visitor.get(session()).body());
		assertThat(link.find()).isTrue();
		String form = link.group(1).replace("&amp;", "&");
		Matcher sessionKey = SESSION_KEY.matcher(this.visitor.get(form).body());
		assertThat(sessionKey.find()).isTrue();
		Answer answer = this.visitor.submit(form, form, "sessionKey", sessionKey.group(1), "choice", "approve", "text",
				"");
		assertThat(answer.header("Location")).hasValue(session());
		assertThat(this.api.events("s1", "order=desc").text("/events/0/content/parts/0/functionResponse/id"))
			.isEqualTo(id);
		assertThat(this.api.http().get(this.api.sessionPath("s1") + "/pending").at("/pending").isEmpty()).isTrue();
	}

	@Test
	void saysInWordsWhatIsAsked() {
		ask("adk_request_confirmation", "{'originalFunctionCall': {'name': '<b>book', 'args': {'to': '\\u5148'}},"
				+ "'toolConfirmation': {'hint': 'Book <i>it</i>?'}}");
		assertAsked("Confirmation of the call of</span> <bdi>&lt;b&gt;book</bdi>", "Book &lt;i&gt;it&lt;/i&gt;?",
				"&quot;to&quot;: &quot;\u5148&quot;", "Raw JSON");
		ask("adk_request_input", "{'message': 'Which day?', 'payload': 1}");
		assertAsked("Input</span>", ">Which day?</p>");
		ask("adk_request_credential", "{'authConfig': {'authScheme': {'type': 'oauth2', 'flows': {'authorizationCode':"
				+ "{'scopes': {'mail.read': 'x', 'cal': ''}}}}, 'rawAuthCredential': {'authType': 'oauth2'}}}");
		assertAsked("Credentials</span>", "Scheme: oauth2\nScopes: cal, mail.read</p>");
		ask("adk_request_confirmation", "{'toolConfirmation': 1, 'originalFunctionCall': [], 'hint': 'Buy it?'}");
		assertAsked("Confirmation</span>", "&quot;hint&quot;: &quot;Buy it?&quot;");
		ask("buy", "{'a': {}}");
		assertAsked("Answer to the call of</span> <bdi>buy</bdi>", "&quot;a&quot;: {}");
	}

	private void ask(String name, String args) {
		this.api.delete("s1");
		createSession();
		this.api
			.append("s1",
					"{'author': 'agent', 'longRunningToolIds': ['c 1'], 'content': {'parts': ["
							+ "{'functionCall': {'id': 'c 1', 'name': '%s', 'args': %s}}]}}".formatted(name, args))
			.ok();
	}

	private void assertAsked(String... texts) {
		assertThat(this.visitor.get(session()).body()).contains(texts);
		assertThat(this.visitor.get(form()).body()).contains(texts);
		String user = "/console" + this.api.userPath();
		assertThat(this.visitor.get("/console/apps/" + this.api.app()).body()).contains(texts)
			.contains(" in <a href=\"" + session() + "\"><bdi>s1</bdi></a> of <a href=\"" + user + "\"><bdi>");
	}

	private void call(String name) {
		call(name, "c 1");
	}

	private void call(String name, String id) {
		this.api.append("s1",
				"{'author': 'agent', 'invocationId': 'turn-1', 'branch': 'root.buyer', 'isolationScope': 'task-1', 'longRunningToolIds': ['"
						+ id + "']," + "'content': {'parts': [{'functionCall': {'id': '" + id + "', 'name': '" + name
						+ "', 'args': {'a': 1}}}]}}")
			.ok();
	}

	private String sessionKey() {
		Matcher sessionKey = SESSION_KEY.matcher(this.visitor.get(form()).body());
		assertThat(sessionKey.find()).isTrue();
		return sessionKey.group(1);
	}

	private Answer submit(String sessionKey, String choice, String text) {
		return post(form(), sessionKey, choice, text);
	}

	private Answer post(String page, String sessionKey, String choice, String text) {
		return this.visitor.submit(page, form(), "sessionKey", sessionKey, "choice", choice, "text", text);
	}

	private String session() {
		return "/console" + this.api.sessionPath("s1");
	}

	private String form() {
		return session() + "/answer?seq=1&call=c%201";
	}

}
