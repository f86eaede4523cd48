package dev.agentsessions.security;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
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

import static org.assertj.core.api.Assertions.assertThat;

/** Who gets through at which route. */
class AccessMatrixTests extends SecuredServiceTest {

	private static final String ACTUATOR = " /actuator";

	private static final String HEALTH = " /actuator/health";

	@Autowired
	private ApplicationContext context;

	@BeforeEach
	void makesTheSessionThatTheRoutesName() {
		String event = "{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"i\"}";
		call("POST", "/apps/shop/users/ann/sessions/s1").json("{\"events\":[" + event + "]}").as(Keys.AGENT).send();
	}

	@Test
	void everyRouteHasARule() {
		Set<String> routes = new TreeSet<>(routes().filter((route) -> !route.contains(ACTUATOR)).toList());
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
		return Stream.of(Route.values())
			.flatMap((route) -> Stream.of(Visitor.values()).map((visitor) -> Arguments.of(route, visitor)));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE,
			names = { "ADMINISTRATOR", "ADMINISTRATOR_TOKEN", "ADMINISTRATOR_OF_ANOTHER_APP" })
	void hidesTheActuatorFromAllButAdministrators(Visitor visitor) {
		Outcome outcome = Rule.CALLERS.outcome(visitor).equals(Outcome.UNAUTHENTICATED) ? Outcome.UNAUTHENTICATED
				: Outcome.FORBIDDEN;
		routes().filter((route) -> route.contains(ACTUATOR) && !route.contains(HEALTH)).forEach((route) -> {
			String[] methodAndPath = route.replaceAll("\\{.*}", "x").replace("**", "x").split(" ");
			HttpResponse<String> answer = visitor.identify(call(methodAndPath[0], methodAndPath[1])).send();
			assertThat(outcome.matches(answer)).as("%s: %s %s", route, answer.statusCode(), answer.body()).isTrue();
		});
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
