package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.session.SessionController;
import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.openapi.OpenApiContract;
import dev.agentsessions.openapi.SchemaOfShape;
import dev.agentsessions.session.event.EventShapes;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** The OpenAPI document says everything about every route. */
@HttpTest
class OpenApiTests extends OpenApiContract {

	private final Http http;

	private final RequestMappingHandlerMapping mapping;

	OpenApiTests(Http http, @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping) {
		super(http, "adk", "Sessions", "Events", "Memory", "Leases", "History", "State", "Transfer", "Templates",
				"Usage", "Artifacts", "Users", "Service");
		this.http = http;
		this.mapping = mapping;
	}

	@Test
	void hasEveryRouteOfTheDialectAndNoOther() {
		Stream<String> routes = this.mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.filter((handler) -> isOfDialect(handler.getValue()))
			.flatMap((handler) -> routes(handler.getKey()));
		assertThat(api().operations()).extracting(ApiOperation::route)
			.containsExactlyInAnyOrderElementsOf(routes.toList());
	}

	@Test
	void hasAnExampleOfEveryCode() {
		Set<String> codes = Stream.of(ProblemCode.values())
			.map(Enum::name)
			.collect(HashSet::new, Set::add, Set::addAll);
		assertThat(api().errorExamples("code").values()).extracting((example) -> example.path("code").stringValue())
			.containsAll(codes)
			.isSubsetOf(codes);
		assertThat(api().document().at("/components/schemas/ProblemDetail/properties/code/enum"))
			.extracting(JsonNode::stringValue)
			.containsExactlyInAnyOrderElementsOf(codes);
	}

	@Test
	void hasEachFieldThatIsKnownInAnEvent() {
		SchemaOfShape.assertHasFields(api(), "Event", EventShapes.EVENT);
		SchemaOfShape.assertHasFields(api(), "EventInput", EventShapes.EVENT);
		SchemaOfShape.assertHasFields(api(), "EventActions", EventShapes.ACTIONS);
	}

	@Test
	void isWhereToolsLookForIt() {
		assertThat(this.http.get("/v3/api-docs").header("Location").orElseThrow()).endsWith("/v3/api-docs/adk");
		assertThat(this.http.get("/v3/api-docs/swagger-config").at("/urls/0/url").stringValue())
			.isEqualTo("/v3/api-docs/adk");
	}

	@Test
	void isShownByTheHomePage() {
		assertThat(this.http.get("/").header("Location").orElseThrow()).endsWith("/console");
		assertThat(this.http.get("/console").body()).contains("href=\"/swagger-ui.html\"");
		assertThat(this.http.get("/swagger-ui.html").header("Location").orElseThrow())
			.endsWith("/swagger-ui/index.html");
		assertThat(this.http.get("/swagger-ui/index.html").status()).isEqualTo(200);
	}

	@Override
	protected String status(JsonNode error) {
		return error.path("status").asString();
	}

	private static boolean isOfDialect(HandlerMethod handler) {
		return handler.getBeanType().getPackageName().startsWith(OpenApiTests.class.getPackageName());
	}

	private static Stream<String> routes(RequestMappingInfo route) {
		return route.getMethodsCondition()
			.getMethods()
			.stream()
			.flatMap((method) -> route.getPatternValues().stream().map((path) -> method + " " + path));
	}

}
