package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.console.PageVisitor;
import dev.agentsessions.openapi.ApiDescription;
import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.session.Secrets.CredentialMask;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.OauthFlow;

/** Who sees the secrets of credentials that agents keep in events and state. */
class SecretsTests extends SecuredServiceTest {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	/** Of this test only: a route that names no user finds the session by its id. */
	private static final String ID = "of-secrets-tests";

	private static final String FORK = "fork-of-secrets-tests";

	private static final String SESSION = SESSIONS + "/" + ID;

	private static final OauthFlow FLOW = OauthFlow.read();

	private static final JsonNode REQUEST = FLOW.events().get(FLOW.events().size() - 1);

	private static final Map<String, String> VARIABLES = Map.of("appName", "shop", "userId", "ann", "sessionId", ID,
			"eventId", REQUEST.at("/id").stringValue(), "part", "0", "engine", "shop");

	/** Bodies of reads, by the end of their route. */
	private static final Map<String, String> BODIES = Map.of("events:get",
			"{\"ids\":[\"%s\"]}".formatted(VARIABLES.get("eventId")), ":render",
			"{\"template\":\"{calendar_credential} {user:google_token}\"}");

	@BeforeEach
	void keepCredentials() {
		for (String user : new String[] { "ann", "bob" }) {
			call("DELETE", "/apps/shop/users/" + user).as(Keys.ADMINISTRATOR).send();
		}
		assertThat(call("POST", SESSIONS).as(Keys.AGENT).json(FLOW.creation(ID)).status()).isEqualTo(200);
		assertThat(call("POST", SESSION + "/events:batch").as(Keys.AGENT).json(FLOW.batch()).status()).isEqualTo(200);
		assertThat(
				call("POST", SESSION + ":fork").as(Keys.AGENT).json("{\"sessionId\":\"%s\"}".formatted(FORK)).status())
			.isEqualTo(201);
	}

	@Test
	void showsSecretsToAgentsAndMasksToReadersOnEveryRoute() {
		Set<String> withSecrets = new TreeSet<>();
		for (ApiOperation operation : reads()) {
			String whole = send(operation, Keys.ADMINISTRATOR);
			String masked = send(operation, Keys.READER);
			assertThat(masked).as(operation.route()).doesNotContain(OauthFlow.SECRET);
			if (whole.contains(OauthFlow.SECRET)) {
				withSecrets.add((operation.path().startsWith("/v1") ? "vertex " : "") + operation.id());
				assertThat(masked.contains(CredentialMask.MASK) || masked.contains("\"code\":\"FORBIDDEN\""))
					.as("%s: %s", operation.route(), masked)
					.isTrue();
			}
		}
		assertThat(withSecrets).contains("exportApp", "exportUser", "getAppState", "getEvent", "getEvents",
				"getSession", "getSessionState", "getUserState", "listAppPending", "listAppSessions", "listEvents",
				"listPending", "listSessions", "renderTemplate", "vertex getSession", "vertex listEvents",
				"vertex listSessions", "watchEvents");
	}

	/** Operations that a reader may use are reads. */
	private List<ApiOperation> reads() {
		return Stream.of("adk", "vertex")
			.flatMap((group) -> ApiDescription.of(new Http(port()), group).operations().stream())
			.filter((operation) -> operation.method().equals("GET") || operation.method().equals("POST")
					&& request(operation).as(Keys.READER).send().statusCode() != 403)
			.toList();
	}

	private String send(ApiOperation operation, Keys key) {
		if (operation.success().path("content").has("text/event-stream")) {
			try (EventSource events = EventSource.open(port(), path(operation), "Last-Event-ID", "0", "Authorization",
					"Bearer " + key.key())) {
				return FLOW.events().valueStream().map((event) -> events.next().data()).collect(Collectors.joining());
			}
		}
		return request(operation).as(key).send().body();
	}

	private Call request(ApiOperation operation) {
		Call call = call(operation.method(), path(operation));
		String body = BODIES.entrySet()
			.stream()
			.filter((entry) -> operation.path().endsWith(entry.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("{}");
		return operation.method().equals("GET") ? call : call.json(body);
	}

	private static String path(ApiOperation operation) {
		UriComponentsBuilder uri = UriComponentsBuilder.fromPath(operation.path());
		operation.parameters()
			.stream()
			.filter((parameter) -> parameter.path("in").stringValue().equals("query")
					&& parameter.path("required").asBoolean(false))
			.forEach((parameter) -> uri.queryParam(parameter.path("name").stringValue(), "meetings"));
		if (operation.path().endsWith("{engine}/sessions")) {
			// A reader may list the sessions of one user
			uri.queryParam("filter", "user_id=\"ann\"");
		}
		return uri.build().expand((name) -> VARIABLES.getOrDefault(name, "x")).encode().toUriString();
	}

	/** Follows the links of one user: other tests leave any number of other pages. */
	@Test
	void showsMasksOnEveryPageOfTheConsoleWhateverTheKey() {
		PageVisitor visitor = new PageVisitor(port());
		visitor.signIn(Keys.ADMINISTRATOR.key());
		Deque<String> pages = new ArrayDeque<>(List.of("/console" + SESSION, "/console/apps/shop"));
		Set<String> seen = new HashSet<>(pages);
		Set<String> masked = new TreeSet<>();
		while (!pages.isEmpty()) {
			String address = pages.remove();
			Answer page = visitor.get(address);
			assertThat(page.body()).as(address).doesNotContain(OauthFlow.SECRET);
			if (page.body().contains(CredentialMask.MASK)) {
				masked.add(address.replaceAll("\\?.*", "")
					.replaceAll("[x0-9a-f-]{36}", "{id}")
					.replace("/" + FORK, "/" + ID));
			}
			PageVisitor.links(page)
				.stream()
				.map((link) -> link.replaceAll("#.*", ""))
				.filter((link) -> link.startsWith("/console/apps/shop/users/ann") && !link.contains("watch"))
				.filter(seen::add)
				.forEach(pages::add);
		}
		String session = "/console" + SESSION;
		assertThat(masked).contains(session, session + "/answer", session + "/compare", session + "/download",
				session + "/events/{id}", session + "/events/{id}/json", session + "/pending", session + "/state",
				session + "/state/json");
	}

	@Test
	void aWriterReadsBackWhatItHasSent() {
		JsonNode events = Json.read(call("GET", SESSION + "/events").as(Keys.AGENT).send().body()).get("events");
		assertThat(events.toString()).contains(FLOW.events().get(5).at("/actions/stateDelta").toString());
	}

	@Test
	void refusesToImportMasks() {
		String export = "/apps/shop/users/ann:export";
		String masked = call("GET", export).as(Keys.READER).send().body();
		String whole = call("GET", export).as(Keys.AGENT).send().body();
		assertThat(importInto("bob", masked)).contains("\"created\":0,\"unchanged\":0", "in place of a secret");
		assertThat(call("GET", "/apps/shop/users/bob/state").as(Keys.AGENT).send().body()).isEqualTo("{}");
		assertThat(importInto("bob", whole)).contains("\"refused\":0").doesNotContain("in place of a secret");
	}

	private String importInto(String user, String lines) {
		return call("POST", "/apps/shop/users/" + user + ":import").as(Keys.AGENT)
			.lines(lines.replace("\"userId\":\"ann\"", "\"userId\":\"%s\"".formatted(user)))
			.send()
			.body();
	}

}
