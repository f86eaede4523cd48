package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.openapi.ExamplesContract;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.LogsErrors;

/** The examples of the OpenAPI document of this dialect are true. */
@DocumentedService
class OpenApiExamplesTests extends ExamplesContract {

	private static final String PLACE = "/v1beta1/projects/my-project/locations/us-central1";

	private static final String SESSIONS = PLACE + "/reasoningEngines/1234567890/sessions";

	private static final String MEMORIES = PLACE + "/reasoningEngines/1234567890/memories";

	private static final String MEMORY = "{\"fact\":\"%s\",\"scope\":{\"team\":\"t\"}}";

	/**
	 * Requests that go wrong once everything was tried out, by the example of the error.
	 */
	private static final Map<String, String> REQUESTS = Map.ofEntries(
			Map.entry("MissingUser", "POST " + SESSIONS + " {}"),
			Map.entry("InvalidSessionId", "POST " + SESSIONS + "?sessionId=a.b {\"userId\":\"alice\"}"),
			Map.entry("TtlBesideExpireTime",
					"POST " + SESSIONS + " {\"userId\":\"a\",\"ttl\":\"1s\",\"expireTime\":\"2999-01-01T00:00:00Z\"}"),
			Map.entry("MalformedJson", "POST " + SESSIONS + " {\"userId\": alice}"),
			Map.entry("UnknownFilter", "GET " + SESSIONS + "?filter=color=red "),
			Map.entry("UnknownOrder", "GET " + SESSIONS + "?orderBy=name "),
			Map.entry("InvalidPageToken", "GET " + SESSIONS + "?pageToken=2 "),
			Map.entry("MissingAuthor", "POST " + SESSIONS + "/s-2:appendEvent {\"invocationId\":\"i-1\"}"),
			Map.entry("UnknownTimeFilter", "GET " + SESSIONS + "/s-2/events?filter=author=user "),
			Map.entry("AmbiguousSession", "GET " + SESSIONS + "/s-9 "), Map.entry("MissingToken", "POST /sts/token "),
			Map.entry("SessionNotFound", "GET " + SESSIONS + "/s-1 "),
			Map.entry("OperationNotFound", "GET " + PLACE + "/operations/unknown "),
			Map.entry("AlreadyExists", "POST " + SESSIONS + "?sessionId=s-1 {\"userId\":\"alice\"}"),
			Map.entry("MissingScope", "POST " + MEMORIES + " {\"fact\":\"x\"}"),
			Map.entry("MemoryNotFound", "GET " + MEMORIES + "/none "),
			Map.entry("MemoryExists", "POST " + MEMORIES + "?memoryId=m-9 " + MEMORY.formatted("b")),
			Map.entry("Unimplemented", "GET " + MEMORIES + "?orderBy=name "),
			Map.entry("UnknownPath", "GET " + PLACE + "/models "));

	/** Errors that a sound service with the default settings does not answer. */
	private static final Map<String, Exception> EXCEPTIONS = Map.of("Aborted",
			new SessionException.Stale(new Precondition(1L, null),
					new SessionVersion(2, new UUID(0, 1), Instant.EPOCH, 0), 1),
			"Busy", new LeaseException.Busy("worker-7", Instant.EPOCH, Instant.EPOCH), "PayloadTooLarge",
			new SessionException.TooLarge("The body", DataSize.ofMegabytes(64).toBytes(), "bytes",
					"agent-sessions.vertex.max-body-size"),
			"Unauthenticated", new AccessException.Unauthenticated("The API key or token is not valid"),
			"PermissionDenied", new AccessException.Forbidden("This app is not one of yours"), "ResourceExhausted",
			new AccessException.RateLimited(
					"Too many requests for this app (agent-sessions.security.rate-limit). Please retry later."),
			"Internal", new IllegalStateException(), "Unavailable",
			new SessionException.Unavailable(new IllegalStateException()));

	private final Http http;

	private final HandlerExceptionResolver exceptions;

	private final RequestMappingHandlerMapping mapping;

	OpenApiExamplesTests(Http http, JdbcTemplate database,
			@Qualifier("handlerExceptionResolver") HandlerExceptionResolver exceptions,
			@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping) {
		super(http, database, "vertex");
		this.http = http;
		this.exceptions = exceptions;
		this.mapping = mapping;
	}

	@Test
	void ofErrorsAreAnsweredOnceEverythingIsTriedOut() {
		tryOutEverything();
		REQUESTS.keySet().stream().filter((name) -> !name.equals("AlreadyExists")).forEach(this::assertAnswered);
		this.http.post(SESSIONS + "?sessionId=s-1", "{\"userId\":\"alice\"}").ok();
		assertAnswered("AlreadyExists");
	}

	@ParameterizedTest
	@MethodSource
	@LogsErrors
	void ofOtherErrorsAreWhatTheHandlerSays(String name) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", SESSIONS);
		ServletRequestPathUtils.parseAndCache(request);
		Object handler = this.mapping.getHandler(request).getHandler();
		MockHttpServletResponse response = new MockHttpServletResponse();

		this.exceptions.resolveException(request, response, handler, EXCEPTIONS.get(name));

		JsonNode example = api().errorExamples("error").get(name);
		assertThat(response.getStatus()).isEqualTo(example.at("/error/code").intValue());
		assertSame(Json.read(response.getContentAsString()), example);
	}

	Stream<String> ofOtherErrorsAreWhatTheHandlerSays() {
		return api().errorExamples("error").keySet().stream().filter((name) -> !REQUESTS.containsKey(name));
	}

	private void assertAnswered(String name) {
		for (String user : new String[] { "alice", "bob" }) {
			this.http.post("/apps/1234567890/users/" + user + "/sessions/s-9", "{}");
		}
		this.http.post(SESSIONS + "?sessionId=s-2", "{\"userId\":\"alice\"}");
		this.http.post(MEMORIES + "?memoryId=m-9", MEMORY.formatted("a"));
		String[] request = REQUESTS.get(name).split(" ", 3);
		Answer answer = this.http.send(request[0], request[1], BodyPublishers.ofString(request[2]), "Content-Type",
				request[1].equals("/sts/token") ? "application/x-www-form-urlencoded" : "application/json");
		JsonNode example = api().errorExamples("error").get(name);
		VertexApi.error(answer, example.at("/error/code").intValue(), example.at("/error/status").stringValue());
		assertSame(answer.json(), example);
	}

}
