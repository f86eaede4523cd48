package dev.agentsessions.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.ExternalDocumentation;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * The descriptions in an OpenAPI document, read from a file.
 *
 * @param info the title and description of the API
 * @param externalDocs the link to further documentation
 * @param tags the groups of operations
 * @param parameters descriptions and examples of parameters, by name or by {@code
 * operationId.name}; OpenAPI calls a parameter without a name a header
 * @param operations descriptions, bodies and responses by operation id, in the order of
 * the document
 * @param components the parts that operations share
 */
record ApiDescriptions(Info info, ExternalDocumentation externalDocs, List<Tag> tags, Map<String, Header> parameters,
		Map<String, Operation> operations, Components components) {

	private static final String EXAMPLES = "examples";

	private static final String SCHEMA = "schema";

	static ApiDescriptions read(Resource file) {
		try (InputStream yaml = file.getInputStream()) {
			JsonNode texts = new ObjectMapper().valueToTree(new Yaml(new Values()).load(yaml));
			texts.path("operations").forEach(ApiDescriptions::addJson);
			texts.at("/components/responses").forEach((error) -> complete(error, texts.path("errors")));
			return Yaml31.mapper().treeToValue(texts, ApiDescriptions.class);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the description of a parameter of an operation. */
	@Nullable Header parameter(String operationId, String name) {
		Header own = this.parameters.get(operationId + "." + name);
		return (own != null) ? own : this.parameters.get(name);
	}

	private static void addJson(JsonNode operation) {
		Stream.concat(Stream.of(operation.path("requestBody")), operation.path("responses").valueStream())
			.filter((body) -> body.has(EXAMPLES))
			.forEach((body) -> addType((ObjectNode) body, "application/json"));
	}

	/** Moves schema and examples of a body to where OpenAPI has them. */
	private static void addType(ObjectNode body, String mediaType) {
		ObjectNode content = body.objectNode();
		ObjectNode media = content.putObject(mediaType);
		List.of(SCHEMA, EXAMPLES).forEach((name) -> media.set(name, body.remove(name)));
		body.set("content", content);
	}

	/** Completes an error, of which the file has the names of its examples. */
	private static void complete(JsonNode error, JsonNode all) {
		ObjectNode examples = ((ObjectNode) error).objectNode();
		error.path(EXAMPLES)
			.forEach((name) -> examples.putObject(StringUtils.uncapitalize(name.asText()))
				.put("$ref", "#/components/examples/" + name.asText()));
		((ObjectNode) error).set(SCHEMA, all.path(SCHEMA));
		((ObjectNode) error).set(EXAMPLES, examples);
		addType((ObjectNode) error, all.path("mediaType").asText());
	}

	/**
	 * The values of a file: numbers as they are written. A file may have any number of
	 * aliases, which Jackson does not read.
	 */
	private static final class Values extends SafeConstructor {

		Values() {
			super(new LoaderOptions());
			getLoadingConfig().setMaxAliasesForCollections(Integer.MAX_VALUE);
			this.yamlConstructors.put(org.yaml.snakeyaml.nodes.Tag.FLOAT, new AbstractConstruct() {
				@Override
				public Object construct(Node node) {
					return new BigDecimal(((ScalarNode) node).getValue());
				}
			});
		}

	}

}
