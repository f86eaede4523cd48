package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.openapi.ExamplesContract;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.LogsErrors;

/**
 * The examples of the OpenAPI document are true: a new service answers them as it is
 * written there, if they are tried out from top to bottom.
 */
@HttpTest
@TestInstance(Lifecycle.PER_CLASS)
class OpenApiExamplesTests extends ExamplesContract {

	/** Errors that a sound service with the default settings does not answer. */
	private static final Map<String, Exception> EXCEPTIONS = Map.of("PreconditionRequired",
			new SessionException.PreconditionRequired(), "Unavailable",
			new SessionException.Unavailable(new IllegalStateException()), "Internal", new IllegalStateException(),
			"Unauthenticated", new AccessException.Unauthenticated("The API key or token is not valid"), "Forbidden",
			new AccessException.Forbidden("This app is not one of yours"), "RateLimited",
			new AccessException.RateLimited(
					"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."),
			"RequestTimeout", requestTimeout(), "QuotaExceeded",
			new ArtifactException.QuotaExceeded("The artifacts of a session", 1024 * 1024 * 1024, "bytes",
					"agent-sessions.artifacts.session-quota"));

	private static Exception requestTimeout() {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within 30 seconds (agent-sessions.body-timeout)");
		return new ErrorResponseException(HttpStatus.REQUEST_TIMEOUT, problem, null);
	}

	private final Http http;

	private final HandlerExceptionResolver exceptions;

	OpenApiExamplesTests(Http http, JdbcTemplate database,
			@Qualifier("handlerExceptionResolver") HandlerExceptionResolver exceptions) {
		super(http, database, "adk");
		this.exceptions = exceptions;
		this.http = http;
	}

	@Test
	void ofErrorsAreAnsweredOnceEverythingIsTriedOut() {
		tryOutUntil("eraseUser");
		ErrorRecipe.ALL.forEach((name, request) -> {
			JsonNode example = api().errorExamples("code").get(name);
			Answer answer = request.send(this.http, example.path("instance").stringValue());
			answer.problem(example.path("status").intValue(), example.path("code").stringValue());
			assertSame(answer.json(), example);
		});
	}

	@ParameterizedTest
	@MethodSource
	@LogsErrors
	void ofOtherErrorsAreWhatTheHandlerSays(String name) throws Exception {
		JsonNode example = api().errorExamples("code").get(name);
		MockHttpServletRequest request = new MockHttpServletRequest("POST", example.path("instance").stringValue());
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.exceptions.resolveException(request, response, null, EXCEPTIONS.get(name));
		assertThat(response.getStatus()).isEqualTo(example.path("status").intValue());
		assertSame(Json.read(response.getContentAsString()), example);
	}

	Stream<String> ofOtherErrorsAreWhatTheHandlerSays() {
		return api().errorExamples("code").keySet().stream().filter((name) -> !ErrorRecipe.ALL.containsKey(name));
	}

}
