package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import dev.agentsessions.console.ConsoleAccessTests;
import dev.agentsessions.support.ManyCases;

/** Which caller gets through at which route. */
class AccessMatrixTests extends SecuredServiceTest {

	private static final String ACTUATOR = " /actuator";

	/** See {@link ConsoleAccessTests}. */
	private static final String CONSOLE = " /console";

	private static final Set<Visitor> METRICS = Set.of(Visitor.METRICS, Visitor.METRICS_TOKEN);

	private static final String HEALTH = " /actuator/health";

	@Autowired
	private ApplicationContext context;

	@BeforeEach
	void createSession() {
		createSession("s1");
	}

	private void createSession(String id) {
		String event = "{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"i\","
				+ "\"content\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AAAA\"}}]}}";
		call("POST", "/apps/shop/users/ann/sessions/" + id).json("{\"events\":[" + event + "]}").as(Keys.AGENT).send();
		call("POST", "/apps/shop/users/ann/memories").json("{\"id\":\"m-" + id + "\",\"text\":\"x\"}")
			.as(Keys.AGENT)
			.send();
		for (String artifact : new String[] { "/sessions/" + id + "/artifacts/a", "/artifacts/a-" + id }) {
			call("PUT", "/apps/shop/users/ann" + artifact).json("{}").as(Keys.AGENT).send();
		}
	}

	@Test
	void everyRouteHasARule() {
		Set<String> routes = new TreeSet<>(
				routes().filter((route) -> !route.contains(ACTUATOR) && !route.contains(CONSOLE)).toList());
		assertThat(routes).isEqualTo(new TreeSet<>(Stream.of(Route.values()).map(Route::toString).toList()));
	}

	/**
	 * Each attempt has a session of its own. Routes that remove the sessions of other
	 * attempts come last, one after the other.
	 */
	@Test
	void everyVisitorGetsTheOutcomeOfTheRule() {
		ManyCases.check(attempts().filter((attempt) -> attempt.route() != Route.ERASE_USER), this::checkOutcome);
		attempts().filter((attempt) -> attempt.route() == Route.ERASE_USER).forEach(this::checkOutcome);
	}

	private void checkOutcome(Attempt attempt) {
		createSession(attempt.session());
		String sessionId = (attempt.route() == Route.CREATE_SESSION_WITH_ID) ? attempt.session() + "-new"
				: attempt.session();
		HttpResponse<String> answer = send(attempt, sessionId, "");
		assertThat(attempt.outcome().matches(answer))
			.as("%s: %s %s", attempt.outcome(), answer.statusCode(), answer.body())
			.isTrue();
	}

	@Test
	void refusedVisitorsCannotTellWhetherASessionExists() {
		ManyCases.check(attempts().filter((attempt) -> attempt.route() != Route.CREATE_SESSION_WITH_ID)
			.filter((attempt) -> attempt.outcome() != Outcome.THROUGH), (attempt) -> {
				HttpResponse<String> there = send(attempt, "s1", "");
				HttpResponse<String> missing = send(attempt, "no", "");
				assertThat(missing.statusCode()).isEqualTo(there.statusCode());
				assertThat(withoutRequestId(missing.body()))
					.isEqualTo(withoutRequestId(there.body()).replace("sessions/s1", "sessions/no")
						.replace("m-s1", "m-no")
						.replace("a-s1", "a-no"));
			});
	}

	static String withoutRequestId(String body) {
		return body.replaceFirst("\"requestId\":\"[^\"]+\"", "");
	}

	@Test
	void forgedPageTokensAreRefusedOnEveryRoute() {
		List<String> tokens = List.of("x", "AAAA", Base64.getUrlEncoder().encodeToString(new byte[80]));
		ManyCases.check(attempts().filter((attempt) -> attempt.route().lists()), (attempt) -> {
			int last = (attempt.outcome() == Outcome.THROUGH) ? 400 : 404;
			tokens.forEach((token) -> {
				HttpResponse<String> answer = send(attempt, "s1", "pageToken=" + token);
				assertThat(answer.statusCode()).as(answer.body()).isBetween(400, last);
			});
		});
	}

	private HttpResponse<String> send(Attempt attempt, String sessionId, String query) {
		return attempt.visitor().identify(attempt.route().call(this::call, "ann", sessionId, query)).send();
	}

	private static Stream<Attempt> attempts() {
		return Stream.of(Route.values())
			.flatMap((route) -> Stream.of(Visitor.values()).map((visitor) -> new Attempt(route, visitor)));
	}

	@Test
	void actuatorIsHiddenFromRolesThatMayNotReadIt() {
		Set<Visitor> administrators = Set.of(Visitor.ADMINISTRATOR, Visitor.ADMINISTRATOR_TOKEN,
				Visitor.ADMINISTRATOR_OF_ANOTHER_APP);
		List<String> routes = routes().filter((route) -> route.contains(ACTUATOR) && !route.contains(HEALTH)).toList();
		assertThat(routes).isNotEmpty();
		ManyCases.check(Stream.of(Visitor.values()).filter((visitor) -> !administrators.contains(visitor)),
				(visitor) -> routes.forEach((route) -> checkActuator(route, visitor)));
	}

	private void checkActuator(String route, Visitor visitor) {
		Outcome outcome = Rule.CALLERS.outcome(visitor).equals(Outcome.UNAUTHENTICATED) ? Outcome.UNAUTHENTICATED
				: Outcome.FORBIDDEN;
		String[] methodAndPath = route.replaceAll("\\{.*}", "x").replace("**", "x").split(" ");
		HttpResponse<String> answer = visitor.identify(call(methodAndPath[0], methodAndPath[1])).send();
		boolean refused = !(isMetrics(route) && METRICS.contains(visitor));
		assertThat(outcome.matches(answer)).as("%s: %s %s", route, answer.statusCode(), answer.body())
			.isEqualTo(refused);
	}

	private static boolean isMetrics(String route) {
		return route.contains(ACTUATOR + "/metrics") || route.contains(ACTUATOR + "/prometheus");
	}

	@Test
	void showsMetricsToTheirRole() {
		assertThat(call("GET", "/actuator/metrics").as(Keys.METRICS).status()).isEqualTo(200);
		assertThat(call("GET", "/actuator/metrics").bearer(Tokens.ofMetrics("prometheus")).status()).isEqualTo(200);
	}

	@Test
	void showsTheActuatorToAdministrators() {
		assertThat(call("GET", "/actuator/env").as(Keys.ADMINISTRATOR).status()).isEqualTo(200);
	}

	@Test
	void showsEverybodyWhetherTheServiceIsHealthy() {
		for (String path : new String[] { "/actuator/health", "/actuator/health/liveness",
				"/actuator/health/readiness" }) {
			assertThat(call("GET", path).send().body()).contains("\"status\":\"UP\"").doesNotContain("components");
		}
	}

	@Test
	void asksWhoIsThereBeforeItTellsWhatThereIs() {
		assertThat(call("GET", "/nowhere").status()).isEqualTo(401);
		assertThat(call("GET", "/nowhere").as(Keys.AGENT).status()).isEqualTo(404);
		assertThat(call("PUT", "/apps/shop/state").status()).isEqualTo(401);
	}

	private Stream<String> routes() {
		return this.context.getBeansOfType(RequestMappingInfoHandlerMapping.class)
			.values()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().keySet().stream())
			.flatMap(AccessMatrixTests::routes);
	}

	private static Stream<String> routes(RequestMappingInfo mapping) {
		Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
		return mapping.getPatternValues()
			.stream()
			.flatMap((path) -> (methods.isEmpty() ? Set.of(RequestMethod.GET) : methods).stream()
				.map((method) -> method + " " + path));
	}

	/**
	 * A request of a visitor at a route.
	 *
	 * @param route the route
	 * @param visitor the visitor
	 */
	private record Attempt(Route route, Visitor visitor) {

		Outcome outcome() {
			return this.route.rule().outcome(this.visitor);
		}

		/** The id of its own session. */
		String session() {
			return this.route.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + this.visitor.ordinal();
		}

	}

}
