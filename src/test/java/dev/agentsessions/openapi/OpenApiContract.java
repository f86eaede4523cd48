package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Http;

/** What holds for the OpenAPI document of every dialect. */
public abstract class OpenApiContract {

	private static final int FEW_LINES = 3;

	private final Http http;

	private final String group;

	private final String[] tags;

	private final ApiDescription api;

	protected OpenApiContract(Http http, String group, String... tags) {
		this.http = http;
		this.group = group;
		this.tags = tags;
		this.api = ApiDescription.of(http, group);
	}

	protected ApiDescription api() {
		return this.api;
	}

	/** The HTTP status that an example of an error names. */
	protected abstract String status(JsonNode error);

	@Test
	public void isOpenApi31WithTheVersionOfTheService() {
		assertThat(this.api.document().at("/openapi").stringValue()).startsWith("3.1.");
		assertThat(this.api.document().at("/info/version")).isEqualTo(this.http.get("/version").at("/version"));
		assertThat(this.api.document().at("/info/license/identifier").stringValue()).isEqualTo("Apache-2.0");
	}

	@Test
	public void saysWhereMoreStandsAndWhichServiceItIs() {
		assertThat(this.api.document().at("/externalDocs/url").stringValue()).startsWith("https://");
		assertThat(this.api.document().at("/servers")).hasSize(1);
		assertThat(this.api.document().at("/servers/0/url").stringValue()).isEqualTo("/");
		assertThat(this.api.document().at("/servers/0/description").stringValue()).isNotBlank();
	}

	@Test
	public void namesTagsInTheOrderOfItsOperations() {
		List<String> tags = this.api.document()
			.at("/tags")
			.valueStream()
			.map((tag) -> tag.path("name").stringValue())
			.toList();
		assertThat(tags).containsExactly(this.tags);
		assertThat(this.api.operations().stream().map((operation) -> operation.text().at("/tags/0").stringValue()))
			.isSortedAccordingTo((one, other) -> tags.indexOf(one) - tags.indexOf(other));
	}

	@Test
	public void usesEveryTextOfItsFileInTheSameOrder() throws IOException {
		Map<String, Map<String, ?>> texts = yaml().load(file());
		assertThat(this.api.operations().stream().map(ApiOperation::id).filter((id) -> !id.endsWith("OfUser")))
			.containsExactlyElementsOf(texts.get("operations").keySet());
		assertThat(this.api.operations().stream().flatMap(OpenApiContract::parameterNames))
			.containsAll(texts.get("parameters").keySet());
	}

	@Test
	public void describesEveryOperationAndEveryParameter() {
		for (ApiOperation operation : this.api.operations()) {
			assertThat(operation.text().path("summary").asString()).as(operation.id()).isNotBlank();
			assertThat(operation.text().path("description").asString()).as(operation.id()).isNotBlank();
			operation.parameters()
				.forEach((parameter) -> assertThat(parameter.path("description").asString())
					.as("description of the parameter %s of %s", parameter.path("name").asString(), operation.id())
					.isNotBlank());
		}
	}

	@Test
	public void showsForEveryRequestTheAnswerAndForEveryErrorAnExample() {
		for (ApiOperation operation : this.api.operations()) {
			assertThat(operation.successExamples().keySet()).as(operation.id())
				.containsAll(operation.requestExamples().keySet())
				.hasSizeGreaterThanOrEqualTo((operation.successStatus() == 204) ? 0 : 1);
			assertThat(operation.errors()).as(operation.id()).isNotEmpty().allSatisfy((error) -> {
				List<JsonNode> examples = error.getValue()
					.path("content")
					.valueStream()
					.flatMap((body) -> this.api.examples(body).values().stream())
					.toList();
				assertThat(examples).isNotEmpty()
					.allSatisfy((example) -> assertThat(List.of("default", status(example))).contains(error.getKey()));
			});
		}
	}

	@Test
	public void hasExamplesThatFollowItsSchemas() {
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
	public void takesABodyWhereTheRouteDoes() {
		for (ApiOperation operation : this.api.operations()) {
			boolean changes = (operation.method().equals("POST") && !operation.path().matches(".*:(release|reindex)"))
					|| operation.method().equals("PATCH") || operation.method().equals("PUT");
			assertThat(!operation.requestExamples().isEmpty()).as(operation.id()).isEqualTo(changes);
		}
	}

	@Test
	public void hasNothingThatIsReferredToInVainOrNotAtAll() {
		Set<String> references = this.api.references().collect(HashSet::new, Set::add, Set::addAll);
		Set<String> components = new HashSet<>();
		this.api.document()
			.path("components")
			.forEachEntry((kind, all) -> all
				.forEachEntry((name, component) -> components.add("#/components/" + kind + "/" + name)));
		assertThat(references).isEqualTo(components);
	}

	/** A type without a rule is what the controller says already. */
	@Test
	public void saysOfParametersMoreThanTheirType() throws IOException {
		Map<String, Map<String, Map<String, Map<String, ?>>>> texts = yaml().load(file());
		assertThat(texts.get("parameters")).noneSatisfy((name, text) -> {
			assertThat(text).containsKey("schema");
			assertThat(text.get("schema").keySet()).isSubsetOf("type", "format");
		});
	}

	/**
	 * What is written twice is changed once. A name in YAML, or a component, is for both.
	 */
	@Test
	public void writesNothingTwice() throws IOException {
		Map<String, Set<Node>> places = new HashMap<>();
		addPlaces(yaml().compose(new InputStreamReader(file(), StandardCharsets.UTF_8)), places);
		assertThat(places.values().stream().filter((same) -> same.size() > 1))
			.as(() -> "the same text in several places of " + this.group + ".yaml")
			.extracting((same) -> same.stream().map((node) -> node.getStartMark().getLine() + 1).sorted().toList())
			.isEmpty();
	}

	/** Adds all parts that are longer than a few lines, and returns what a part says. */
	private static String addPlaces(Node node, Map<String, Set<Node>> places) {
		String text;
		if (node instanceof MappingNode object) {
			text = object.getValue()
				.stream()
				.map((field) -> addPlaces(field.getKeyNode(), places) + ":" + addPlaces(field.getValueNode(), places))
				.sorted()
				.collect(Collectors.joining(",", "{", "}"));
		}
		else if (node instanceof SequenceNode list) {
			text = list.getValue()
				.stream()
				.map((item) -> addPlaces(item, places))
				.collect(Collectors.joining(",", "[", "]"));
		}
		else {
			text = ((ScalarNode) node).getValue();
		}
		if (node.getEndMark().getLine() - node.getStartMark().getLine() >= FEW_LINES) {
			places.computeIfAbsent(text, (same) -> new HashSet<>()).add(node);
		}
		return text;
	}

	private static Yaml yaml() {
		LoaderOptions options = new LoaderOptions();
		options.setMaxAliasesForCollections(Integer.MAX_VALUE);
		return new Yaml(options);
	}

	private InputStream file() throws IOException {
		return new ClassPathResource("openapi/" + this.group + ".yaml").getInputStream();
	}

	private static Stream<String> parameterNames(ApiOperation operation) {
		return operation.parameters()
			.stream()
			.map((parameter) -> parameter.path("name").stringValue())
			.flatMap((name) -> Stream.of(name, operation.id() + "." + name));
	}

}
