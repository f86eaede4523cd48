package dev.agentsessions.adk;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.ErrorResponseException;
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
			new SessionException.Unavailable(new IllegalStateException()), "Internal", new IllegalStateException(),
			"Unauthenticated", new SessionException.Unauthenticated("The API key or token is not valid"), "Forbidden",
			new SessionException.Forbidden("This app is not one of yours"), "RateLimited",
			new SessionException.RateLimited(
					"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."),
			"RequestTimeout", requestTimeout());

	private static Exception requestTimeout() {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within 30 seconds (agent-sessions.body-timeout)");
		return new ErrorResponseException(HttpStatus.REQUEST_TIMEOUT, problem, null);
	}

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

	@Test
	void areAnsweredFromTopToBottom() {
		this.api.operations()
			.forEach((operation) -> assertAnswered(operation,
					operation.successExamples().keySet().stream().findFirst()));
	}

	@ParameterizedTest
	@MethodSource
	void areAnsweredInPlaceOfTheFirstOne(ApiOperation operation, String name) {
		tryOut(operation.before());
		assertAnswered(operation, Optional.of(name));
	}

	Stream<Arguments> areAnsweredInPlaceOfTheFirstOne() {
		return this.api.operations()
			.stream()
			.flatMap((operation) -> operation.requestExamples()
				.keySet()
				.stream()
				.skip(1)
				.map((name) -> Arguments.of(Named.of(operation.id(), operation), name)));
	}

	@Test
	void ofErrorsAreAnsweredOnceEverythingIsTriedOut() {
		tryOut(this.api.operations().stream());
		ErrorRecipe.ALL.forEach((name, request) -> {
			JsonNode example = this.api.errorExamples().get(name);
			Answer answer = request.send(this.http, example.path("instance").stringValue());
			answer.problem(example.path("status").intValue(), example.path("code").stringValue());
			assertSame(answer.json(), example);
		});
	}

	@ParameterizedTest
	@MethodSource
	void ofOtherErrorsAreWhatTheHandlerSays(String name) throws Exception {
		JsonNode example = this.api.errorExamples().get(name);
		MockHttpServletRequest request = new MockHttpServletRequest("POST", example.path("instance").stringValue());
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.exceptions.resolveException(request, response, null, EXCEPTIONS.get(name));
		assertThat(response.getStatus()).isEqualTo(example.path("status").intValue());
		assertSame(Json.read(response.getContentAsString()), example);
	}

	Stream<String> ofOtherErrorsAreWhatTheHandlerSays() {
		return this.api.errorExamples().keySet().stream().filter((name) -> !ErrorRecipe.ALL.containsKey(name));
	}

	private void tryOut(Stream<ApiOperation> operations) {
		operations.forEach((operation) -> assertThat(operation.execute(this.http).status()).as(operation.id())
			.isEqualTo(operation.successStatus()));
	}

	private void assertAnswered(ApiOperation operation, Optional<String> example) {
		Answer answer = operation.execute(this.http, example.map(operation.requestExamples()::get).orElse(null));
		assertThat(answer.status()).as(answer.body()).isEqualTo(operation.successStatus());
		assertThat(answer.header("ETag").isPresent()).as(operation.id())
			.isEqualTo(operation.success().at("/headers").has("ETag"));
		example.ifPresent((name) -> assertSame(answer.json(), operation.successExamples().get(name)));
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
