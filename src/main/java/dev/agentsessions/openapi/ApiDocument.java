package dev.agentsessions.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.ExternalDocumentation;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Completes the OpenAPI document of a dialect. Paths and parameters come from the
 * controllers; descriptions, examples, schemas and the order come from a file.
 */
public final class ApiDocument implements OpenApiCustomizer {

	private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

	private final Resource file;

	private final @Nullable String version;

	/**
	 * Creates a document.
	 * @param file the descriptions, in the format of {@link ApiDescriptions}
	 * @param version the version of the service
	 */
	public ApiDocument(Resource file, @Nullable String version) {
		this.file = file;
		this.version = version;
	}

	@Override
	public void customise(OpenAPI api) {
		ApiDescriptions texts = ApiDescriptions.read(this.file);
		Components components = texts.components().securitySchemes(securitySchemes(api));
		api.info(texts.info().version(this.version)).externalDocs(texts.externalDocs());
		api.tags(texts.tags()).components(components).servers(List.of(thisService()));
		OperationIds.set(api.getPaths());
		api.setPaths(inOrder(api.getPaths(), List.copyOf(texts.operations().keySet())));
		api.getPaths().forEach((path, item) -> item.readOperations().forEach((operation) -> {
			addNames(path, operation);
			add(texts, operation);
		}));
	}

	/**
	 * Returns a relative URL, which is right for any host name and behind a proxy.
	 * Callers share one document, so it must not contain the host name that the first
	 * caller used.
	 */
	private static Server thisService() {
		return new Server().url("/").description("The service that shows this page");
	}

	private static @Nullable Map<String, SecurityScheme> securitySchemes(OpenAPI api) {
		return (api.getComponents() != null) ? api.getComponents().getSecuritySchemes() : null;
	}

	private static Paths inOrder(Paths paths, List<String> operationIds) {
		Paths ordered = new Paths();
		paths.entrySet()
			.stream()
			.sorted(Comparator.comparingInt((path) -> firstIndex(path.getValue(), operationIds)))
			.forEach((path) -> ordered.addPathItem(path.getKey(), OrderedPathItem.of(path.getValue())));
		return ordered;
	}

	private static int firstIndex(PathItem path, List<String> operationIds) {
		return path.readOperations()
			.stream()
			.mapToInt((operation) -> operationIds.indexOf(OperationIds.ofText(operation)))
			.min()
			.orElseThrow();
	}

	/**
	 * Gives an operation the names of its path, also those that are no parameters of the
	 * controller's method.
	 */
	private static void addNames(String path, Operation operation) {
		Stream<Parameter> names = NAME.matcher(path)
			.results()
			.map((name) -> new PathParameter().name(name.group(1)).schema(new StringSchema()));
		Stream<Parameter> others = parameters(operation).stream()
			.filter((parameter) -> !parameter.getIn().equals("path"));
		operation.setParameters(Stream.concat(names, others).toList());
	}

	private static void add(ApiDescriptions texts, Operation operation) {
		String id = OperationIds.ofText(operation);
		Operation text = texts.operations().get(id);
		if (text != null) {
			operation.tags(text.getTags()).summary(text.getSummary()).description(text.getDescription());
			operation.requestBody(text.getRequestBody()).responses(text.getResponses());
			parameters(operation).forEach((parameter) -> add(texts.parameter(id, parameter.getName()), parameter));
			// Headers that the controller's method reads from the request
			operation.setParameters(Stream.concat(parameters(operation).stream(), parameters(text).stream()).toList());
		}
	}

	private static void add(@Nullable Header text, Parameter parameter) {
		if (text != null) {
			parameter.description(text.getDescription()).example(text.getExample()).examples(text.getExamples());
			parameter.schema((text.getSchema() != null) ? text.getSchema() : parameter.getSchema());
			forbidNull(parameter.getSchema());
		}
	}

	/** A parameter may be absent, but never null. */
	private static void forbidNull(Schema<?> schema) {
		if (schema.getTypes() != null) {
			schema.getTypes().remove("null");
		}
	}

	private static List<Parameter> parameters(Operation operation) {
		return (operation.getParameters() != null) ? operation.getParameters() : List.of();
	}

	/**
	 * A path whose operations have the order in which a reader tries them out: create
	 * before read.
	 */
	@JsonPropertyOrder({ "post", "put", "get", "patch", "delete" })
	private static class OrderedPathItem extends PathItem {

		static OrderedPathItem of(PathItem path) {
			OrderedPathItem ordered = new OrderedPathItem();
			path.readOperationsMap().forEach(ordered::operation);
			return ordered;
		}

	}

	/**
	 * The ids of operations. A method of a controller with a path for sessions and a path
	 * for users is two operations with one text: the id of the second one ends with
	 * {@code OfUser}.
	 */
	private static final class OperationIds {

		private static final String OF_USER = "OfUser";

		private OperationIds() {
		}

		/** Replaces the numbers with which springdoc tells the two apart. */
		static void set(Paths paths) {
			Set<String> ofSessions = new HashSet<>();
			List<Operation> others = new ArrayList<>();
			paths.forEach((path, item) -> item.readOperations().forEach((operation) -> {
				operation.operationId(operation.getOperationId().replaceFirst("_\\d+$", ""));
				if (path.contains("{sessionId}")) {
					ofSessions.add(operation.getOperationId());
				}
				else {
					others.add(operation);
				}
			}));
			others.stream()
				.filter((operation) -> ofSessions.contains(operation.getOperationId()))
				.forEach((operation) -> operation.operationId(operation.getOperationId() + OF_USER));
		}

		/** Returns the id of the operation whose text an operation has. */
		static String ofText(Operation operation) {
			String id = operation.getOperationId();
			return id.endsWith(OF_USER) ? id.substring(0, id.length() - OF_USER.length()) : id;
		}

	}

	/**
	 * The descriptions in an OpenAPI document, read from a file.
	 *
	 * @param info the title and description of the API
	 * @param externalDocs the link to further documentation
	 * @param tags the groups of operations
	 * @param parameters descriptions and examples of parameters, by name or by {@code
	 * operationId.name}; OpenAPI calls a parameter without a name a header
	 * @param operations descriptions, bodies and responses by operation id, in the order
	 * of the document
	 * @param components the parts that operations share
	 */
	record ApiDescriptions(Info info, ExternalDocumentation externalDocs, List<Tag> tags,
			Map<String, Header> parameters, Map<String, Operation> operations, Components components) {

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
		 * The values of a file: numbers as they are written. A file may have any number
		 * of aliases, which Jackson does not read.
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

}
