package dev.agentsessions.adk;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.Answer;
import dev.agentsessions.Http;
import dev.agentsessions.HttpTest;
import dev.agentsessions.Json;
import dev.agentsessions.session.SessionException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of the OpenAPI document are true: a new service answers them as it is
 * written there, if they are tried out from top to bottom.
 */
@HttpTest
@TestInstance(Lifecycle.PER_CLASS)
class OpenApiExamplesTests {

	/** Errors that a sound service with the default settings does not answer. */
	private static final Map<String, Exception> EXCEPTIONS = Map.of("PreconditionRequired",
			new SessionException.PreconditionRequired(), "Unavailable",
			new SessionException.Unavailable(new IllegalStateException()), "Internal", new IllegalStateException());

	private final Http http;

	private final JdbcTemplate database;

	private final HandlerExceptionResolver exceptions;

	private final ApiDescription api;

	OpenApiExamplesTests(Http http, JdbcTemplate database,
			@Qualifier("handlerExceptionResolver") HandlerExceptionResolver exceptions) {
		this.exceptions = exceptions;
		this.http = http;
		this.database = database;
		this.api = ApiDescription.of(http);
	}

	@BeforeEach
	void forgetEverything() {
		this.database.execute("delete from events; delete from state; delete from sessions");
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource
	void answersAsDocumented(String operationId, String name, ApiOperation operation) {
		tryOutEverythingBefore(operationId);
		Answer answer = operation.execute(this.http, operation.requestExamples().get(name));
		assertThat(answer.status()).as(answer.body()).isEqualTo(operation.successStatus());
		if (operation.successStatus() == 200) {
			assertSame(answer.json(), operation.successExamples().get(name));
		}
		operation.success()
			.path("headers")
			.propertyNames()
			.stream()
			.filter("ETag"::equals)
			.forEach((header) -> assertThat(answer.header(header)).isPresent());
	}

	Stream<Arguments> answersAsDocumented() {
		return this.api.operations()
			.stream()
			.flatMap((operation) -> names(operation).map((name) -> Arguments.of(operation.id(), name, operation)));
	}

	@ParameterizedTest
	@MethodSource
	void answersErrorsAsDocumented(String name) {
		tryOutEverythingBefore("");
		JsonNode example = this.api.errorExamples().get(name);
		Answer answer = ErrorRecipe.ALL.get(name).send(this.http, example.path("instance").stringValue());
		answer.problem(example.path("status").intValue(), example.path("code").stringValue());
		assertSame(answer.json(), example);
	}

	Stream<String> answersErrorsAsDocumented() {
		return this.api.errorExamples().keySet().stream().filter(ErrorRecipe.ALL::containsKey);
	}

	@ParameterizedTest
	@MethodSource
	void describesOtherErrorsAsTheyAre(String name) throws Exception {
		JsonNode example = this.api.errorExamples().get(name);
		MockHttpServletRequest request = new MockHttpServletRequest("POST", example.path("instance").stringValue());
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.exceptions.resolveException(request, response, null, EXCEPTIONS.get(name));
		assertThat(response.getStatus()).isEqualTo(example.path("status").intValue());
		assertSame(Json.read(response.getContentAsString()), example);
	}

	Stream<String> describesOtherErrorsAsTheyAre() {
		return this.api.errorExamples().keySet().stream().filter((name) -> !ErrorRecipe.ALL.containsKey(name));
	}

	private void tryOutEverythingBefore(String operationId) {
		this.api.operations()
			.stream()
			.takeWhile((operation) -> !operation.id().equals(operationId))
			.forEach((operation) -> assertThat(operation.execute(this.http).status()).as(operation.id())
				.isEqualTo(operation.successStatus()));
	}

	private static Stream<String> names(ApiOperation operation) {
		List<String> names = List.copyOf(operation.requestExamples().keySet());
		return names.isEmpty() ? Stream.concat(operation.successExamples().keySet().stream(), Stream.of("")).limit(1)
				: names.stream();
	}

	/** Compares apart from what is new with every request: times and made-up ids. */
	private static void assertSame(JsonNode answer, JsonNode example) {
		assertThat(withoutNews(answer)).isEqualTo(withoutNews(example));
	}

	private static JsonNode withoutNews(JsonNode body) {
		return Json.read(body.toString()
			.replaceAll("(\"(lastUpdateTime|timestamp)\":)[0-9.]+", "$1\"time\"")
			.replaceAll("(\"(version|language_version)\":)\"[^\"]+\"", "$1\"version\"")
			.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid"));
	}

}
