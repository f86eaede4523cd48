package dev.agentsessions.adk;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.Http;
import dev.agentsessions.HttpTest;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document says everything about every route. */
@HttpTest
class OpenApiTests {

	private final Http http;

	private final ApiDescription api;

	private final RequestMappingHandlerMapping mapping;

	OpenApiTests(Http http, @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping) {
		this.http = http;
		this.api = ApiDescription.of(http);
		this.mapping = mapping;
	}

	@Test
	void isOpenApi31WithTheVersionOfTheService() {
		assertThat(this.api.document().at("/openapi").stringValue()).startsWith("3.1.");
		assertThat(this.api.document().at("/info/version")).isEqualTo(this.http.get("/version").at("/version"));
		assertThat(this.api.document().at("/info/license/identifier").stringValue()).isEqualTo("Apache-2.0");
	}

	@Test
	void hasEveryRouteOfTheDialectAndNoOther() {
		Stream<String> routes = this.mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.filter((handler) -> isOfDialect(handler.getValue()))
			.flatMap((handler) -> routes(handler.getKey()));
		assertThat(this.api.operations()).extracting(ApiOperation::route)
			.containsExactlyInAnyOrderElementsOf(routes.toList());
	}

	@Test
	void namesTagsInTheOrderOfItsOperations() {
		List<String> tags = this.api.document()
			.at("/tags")
			.valueStream()
			.map((tag) -> tag.path("name").stringValue())
			.toList();
		assertThat(tags).containsExactly("Sessions", "Events", "State", "Users", "Templates", "Service");
		assertThat(this.api.operations().stream().map((operation) -> operation.text().at("/tags/0").stringValue()))
			.isSortedAccordingTo((one, other) -> tags.indexOf(one) - tags.indexOf(other));
	}

	@Test
	void usesEveryTextOfItsFileInTheSameOrder() throws IOException {
		Map<String, Map<String, ?>> texts = new Yaml().load(new ClassPathResource("openapi/adk.yaml").getInputStream());
		assertThat(this.api.operations()).extracting(ApiOperation::id)
			.containsExactlyElementsOf(texts.get("operations").keySet());
		assertThat(this.api.operations().stream().flatMap(OpenApiTests::parameterNames))
			.containsAll(texts.get("parameters").keySet());
	}

	@Test
	void describesEveryOperationAndEveryParameter() {
		for (ApiOperation operation : this.api.operations()) {
			assertThat(operation.text().path("summary").asString()).as(operation.id()).isNotBlank();
			assertThat(operation.text().path("description").asString()).as(operation.id()).isNotBlank();
			assertThat(operation.parameters()).as(operation.id())
				.allSatisfy((parameter) -> assertThat(parameter.path("description").asString()).isNotBlank());
		}
	}

	@Test
	void showsForEveryRequestTheAnswerAndForEveryErrorAnExample() {
		for (ApiOperation operation : this.api.operations()) {
			assertThat(operation.successExamples().keySet()).as(operation.id())
				.containsAll(operation.requestExamples().keySet())
				.hasSizeGreaterThanOrEqualTo((operation.successStatus() == 204) ? 0 : 1);
			assertThat(operation.errors()).as(operation.id()).isNotEmpty().allSatisfy((error) -> {
				JsonNode body = error.getValue().at("/content/application~1problem+json");
				assertThat(this.api.examples(body).values()).isNotEmpty()
					.allSatisfy((example) -> assertThat(example.path("status").asString()).isEqualTo(
							error.getKey().equals("default") ? example.path("status").asString() : error.getKey()));
			});
		}
	}

	@Test
	void hasExamplesThatFollowItsSchemas() {
		SchemaCheck schemas = new SchemaCheck(this.api);
		Stream
			.concat(this.api.operations().stream().flatMap(ApiOperation::bodies),
					this.api.document().at("/components/responses").valueStream())
			.flatMap((body) -> body.path("content").valueStream())
			.forEach((content) -> this.api.examples(content)
				.values()
				.forEach((example) -> schemas.check(example, content.path("schema"))));
	}

	@Test
	void takesABodyWhereTheRouteDoes() {
		for (ApiOperation operation : this.api.operations()) {
			boolean changes = operation.method().equals("POST") || operation.method().equals("PATCH");
			assertThat(!operation.requestExamples().isEmpty()).as(operation.id()).isEqualTo(changes);
		}
	}

	@Test
	void hasAnExampleOfEveryCode() {
		Set<String> codes = Stream.of(ProblemCode.values())
			.map(Enum::name)
			.collect(HashSet::new, Set::add, Set::addAll);
		assertThat(this.api.errorExamples().values()).extracting((example) -> example.path("code").stringValue())
			.containsAll(codes)
			.isSubsetOf(codes);
		assertThat(this.api.document().at("/components/schemas/ProblemDetail/properties/code/enum"))
			.extracting(JsonNode::stringValue)
			.containsExactlyInAnyOrderElementsOf(codes);
	}

	@Test
	void hasNothingThatIsReferredToInVainOrNotAtAll() {
		Set<String> references = this.api.references().collect(HashSet::new, Set::add, Set::addAll);
		Set<String> components = new HashSet<>();
		this.api.document()
			.path("components")
			.forEachEntry((kind, all) -> all
				.forEachEntry((name, component) -> components.add("#/components/" + kind + "/" + name)));
		assertThat(references).isEqualTo(components);
	}

	@Test
	void isWhereToolsLookForIt() {
		assertThat(this.http.get("/v3/api-docs").header("Location").orElseThrow()).endsWith("/v3/api-docs/adk");
		assertThat(this.http.get("/v3/api-docs/swagger-config").at("/urls/0/url").stringValue())
			.isEqualTo("/v3/api-docs/adk");
	}

	@Test
	void isShownByTheHomePage() {
		assertThat(this.http.get("/").header("Location").orElseThrow()).endsWith("/swagger-ui.html");
		assertThat(this.http.get("/swagger-ui.html").header("Location").orElseThrow())
			.endsWith("/swagger-ui/index.html");
		assertThat(this.http.get("/swagger-ui/index.html").status()).isEqualTo(200);
	}

	private static Stream<String> parameterNames(ApiOperation operation) {
		return operation.parameters()
			.stream()
			.map((parameter) -> parameter.path("name").stringValue())
			.flatMap((name) -> Stream.of(name, operation.id() + "." + name));
	}

	private static boolean isOfDialect(HandlerMethod handler) {
		return handler.getBeanType().getPackage().equals(SessionController.class.getPackage());
	}

	private static Stream<String> routes(RequestMappingInfo route) {
		return route.getMethodsCondition()
			.getMethods()
			.stream()
			.flatMap((method) -> route.getPatternValues().stream().map((path) -> method + " " + path));
	}

}
