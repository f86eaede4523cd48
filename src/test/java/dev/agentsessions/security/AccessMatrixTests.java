package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import dev.agentsessions.console.ConsoleAccessTests;

/** Who gets through at which route. */
class AccessMatrixTests extends SecuredServiceTest {

	private static final String ACTUATOR = " /actuator";

	/** See {@link ConsoleAccessTests}. */
	private static final String CONSOLE = " /console";

	private static final Set<Visitor> METRICS = Set.of(Visitor.METRICS, Visitor.METRICS_TOKEN);

	private static final String HEALTH = " /actuator/health";

	@Autowired
	private ApplicationContext context;

	@BeforeEach
	void makesTheSessionThatTheRoutesName() {
		String event = "{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"i\","
				+ "\"content\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AAAA\"}}]}}";
		call("POST", "/apps/shop/users/ann/sessions/s1").json("{\"events\":[" + event + "]}").as(Keys.AGENT).send();
	}

	@Test
	void everyRouteHasARule() {
		Set<String> routes = new TreeSet<>(
				routes().filter((route) -> !route.contains(ACTUATOR) && !route.contains(CONSOLE)).toList());
		assertThat(routes).isEqualTo(new TreeSet<>(Stream.of(Route.values()).map(Route::toString).toList()));
	}

	@ParameterizedTest(name = "{0} as {1}")
	@MethodSource
	void letsThroughWhomTheRuleLetsThrough(Route route, Visitor visitor) {
		HttpResponse<String> answer = visitor.identify(route.call(this::call)).send();
		assertThat(route.rule().outcome(visitor).matches(answer)).as("%s %s", answer.statusCode(), answer.body())
			.isTrue();
	}

	static Stream<Arguments> letsThroughWhomTheRuleLetsThrough() {
		return routesAndVisitors((route) -> true, (route, visitor) -> true);
	}

	private static Stream<Arguments> routesAndVisitors(Predicate<Route> routes, BiPredicate<Route, Visitor> pairs) {
		return Stream.of(Route.values())
			.filter(routes)
			.flatMap((route) -> Stream.of(Visitor.values())
				.filter((visitor) -> pairs.test(route, visitor))
				.map((visitor) -> Arguments.of(route, visitor)));
	}

	@ParameterizedTest(name = "{0} as {1}")
	@MethodSource
	void tellsNobodyElseWhetherASessionIsThere(Route route, Visitor visitor) {
		HttpResponse<String> there = visitor.identify(route.call(this::call, "ann", "s1", "")).send();
		HttpResponse<String> missing = visitor.identify(route.call(this::call, "ann", "no", "")).send();
		assertThat(missing.statusCode()).isEqualTo(there.statusCode());
		assertThat(withoutRequestId(missing.body()))
			.isEqualTo(withoutRequestId(there.body()).replace("sessions/s1", "sessions/no"));
	}

	static String withoutRequestId(String body) {
		return body.replaceFirst("\"requestId\":\"[^\"]+\"", "");
	}

	static Stream<Arguments> tellsNobodyElseWhetherASessionIsThere() {
		return routesAndVisitors((route) -> route != Route.CREATE_SESSION_WITH_ID,
				(route, visitor) -> route.rule().outcome(visitor) != Outcome.THROUGH);
	}

	@ParameterizedTest(name = "{0} as {1}")
	@MethodSource
	void letsNobodyThroughWithAForgedPageToken(Route route, Visitor visitor) {
		for (String token : List.of("x", "AAAA", Base64.getUrlEncoder().encodeToString(new byte[80]))) {
			HttpResponse<String> answer = visitor.identify(route.call(this::call, "ann", "s1", "pageToken=" + token))
				.send();
			boolean through = route.rule().outcome(visitor) == Outcome.THROUGH;
			assertThat(answer.statusCode()).as(answer.body()).isBetween(400, through ? 400 : 404);
		}
	}

	static Stream<Arguments> letsNobodyThroughWithAForgedPageToken() {
		return routesAndVisitors(Route::lists, (route, visitor) -> true);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE,
			names = { "ADMINISTRATOR", "ADMINISTRATOR_TOKEN", "ADMINISTRATOR_OF_ANOTHER_APP" })
	void hidesTheActuatorFromRolesThatMayNotReadIt(Visitor visitor) {
		Outcome outcome = Rule.CALLERS.outcome(visitor).equals(Outcome.UNAUTHENTICATED) ? Outcome.UNAUTHENTICATED
				: Outcome.FORBIDDEN;
		routes().filter((route) -> route.contains(ACTUATOR) && !route.contains(HEALTH)).forEach((route) -> {
			String[] methodAndPath = route.replaceAll("\\{.*}", "x").replace("**", "x").split(" ");
			HttpResponse<String> answer = visitor.identify(call(methodAndPath[0], methodAndPath[1])).send();
			boolean refused = !(isMetrics(route) && METRICS.contains(visitor));
			assertThat(outcome.matches(answer)).as("%s: %s %s", route, answer.statusCode(), answer.body())
				.isEqualTo(refused);
		});
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

}
