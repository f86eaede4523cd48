package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Fills templates with the state of a session over HTTP. */
@HttpTest
class InstructionTemplateControllerTests {

	private final Api api;

	InstructionTemplateControllerTests(Http http) {
		this.api = new Api(http);
		this.api
			.create("""
					{'sessionId': 's 1', 'state': {
					 'topic': 'state', 'user:name': 'Ana', 'app:motd': 'a {topic} \\\\1 $1', 'number': 7, 'float': 1e3,
					 'yes': true, 'nothing': {'deep': null}, 'list': ['a', 1.50, 'it\\u0027s'], 'empty': '', 'none': null}}""")
			.ok();
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|', quoteCharacter = '`', ignoreLeadingAndTrailingWhitespace = true,
			value = { "no key | no key", "{topic} and {topic} | state and state", "Help {user:name}. | Help Ana.",
					"{app:motd} | a {topic} \\1 $1", "[{ topic }] | [state]", "{empty}. | .", "{missing?}. | .",
					"{user:missing?}{topic?} | state", "{number} {float} {yes} | 7 1000.0 True",
					"{nothing} | {'deep': None}", "[{none}] | []", "[{none?}{user:none?}] | []",
					"{list} | ['a', 1.5, \"it's\"]", "{{topic}} | state",
					"{no key} {} {1} {\"a\": 1} | {no key} {} {1} {\"a\": 1}", "{other:topic} | {other:topic}" })
	void fillsInTheState(String template, String text) {
		assertThat(this.api.render("s 1", template).ok().json()).isEqualTo(Json.read(Json.object("text", text)));
	}

	@Test
	void namesEveryMissingKey() {
		Answer answer = this.api.render("s 1", "{missing} {topic} {user:none} {missing} {optional?}")
			.problem(422, "VALIDATION_FAILED");

		assertThat(answer.at("/missingKeys")).isEqualTo(Json.node("['missing', 'user:none']"));
		assertThat(answer.detail()).isEqualTo("The state has no missing, user:none");
	}

	@Test
	void fillsInNothingOfAMissingSession() {
		this.api.render("missing", "{topic}").problem(404, "SESSION_NOT_FOUND");
		this.api.as("bob").render("s 1", "{topic}").problem(404, "SESSION_NOT_FOUND");
	}

}
