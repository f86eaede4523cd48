package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.swagger.v3.oas.annotations.Hidden;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.openapi.OpenApiContract;
import dev.agentsessions.support.Http;
import dev.agentsessions.vertex.VertexExceptionHandler.RpcError.RpcCode;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;

/** The OpenAPI document of this dialect says everything about every route. */
@DocumentedService
class OpenApiTests extends OpenApiContract {

	private static final Pattern OTHER_PATH = Pattern.compile("`(/v1(?:beta1)?/[^`]+)`");

	private final Http http;

	private final RequestMappingHandlerMapping mapping;

	OpenApiTests(Http http, @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping) {
		super(http, "vertex", "Sessions", "Events", "Operations", "Session", "Memories", "Credentials");
		this.http = http;
		this.mapping = mapping;
	}

	@Test
	void hasEveryRouteOfTheDialectInAllItsFormsAndNoOther() {
		Set<String> routes = this.mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.filter((handler) -> isOfDialect(handler.getValue()))
			.flatMap((handler) -> routes(handler.getKey()))
			.collect(Collectors.toSet());
		assertThat(api().operations().stream().flatMap(OpenApiTests::documented).toList())
			.containsExactlyInAnyOrderElementsOf(routes);
	}

	@Test
	void hasAParameterForEveryVariableOfAPathAndNoOther() {
		for (ApiOperation operation : api().operations()) {
			assertThat(operation.parameters()
				.stream()
				.filter((parameter) -> parameter.path("in").stringValue().equals("path"))
				.map((parameter) -> "{" + parameter.path("name").stringValue() + "}"))
				.as(operation.id())
				.containsExactlyElementsOf(Pattern.compile("\\{\\w+}")
					.matcher(operation.path())
					.results()
					.map((name) -> name.group())
					.toList());
		}
	}

	@Test
	void hasAnExampleOfEveryCode() {
		List<String> codes = Stream.of(RpcCode.values()).map(Enum::name).toList();
		assertThat(api().errorExamples("error")
			.values()
			.stream()
			.map((example) -> example.at("/error/status").stringValue())
			.distinct()).containsExactlyInAnyOrderElementsOf(codes);
		assertThat(api().document().at("/components/schemas/Status/properties/status/enum"))
			.extracting(JsonNode::stringValue)
			.containsExactlyInAnyOrderElementsOf(codes);
	}

	@Test
	void standsBesideThatOfTheOtherDialect() {
		assertThat(this.http.get("/v3/api-docs/swagger-config").at("/urls").valueStream())
			.extracting((group) -> group.path("url").stringValue())
			.containsExactly("/v3/api-docs/adk", "/v3/api-docs/vertex");
	}

	@Override
	protected String status(JsonNode error) {
		return error.at("/error/code").asString();
	}

	private static Stream<String> documented(ApiOperation operation) {
		Stream<String> others = OTHER_PATH.matcher(operation.text().path("description").stringValue())
			.results()
			.map((path) -> path.group(1));
		return Stream.concat(Stream.of(operation.path()), others).map((path) -> operation.method() + " " + path);
	}

	private static boolean isOfDialect(HandlerMethod handler) {
		return handler.getBeanType().getPackageName().startsWith(OpenApiTests.class.getPackageName())
				&& !handler.getBeanType().isAnnotationPresent(Hidden.class);
	}

	private static Stream<String> routes(RequestMappingInfo route) {
		return route.getMethodsCondition()
			.getMethods()
			.stream()
			.flatMap((method) -> route.getPatternValues()
				.stream()
				.flatMap((path) -> Stream.of("v1", "v1beta1")
					.map((version) -> method + " " + path.replace(ApiVersion.PATTERN, "/" + version))));
	}

}
