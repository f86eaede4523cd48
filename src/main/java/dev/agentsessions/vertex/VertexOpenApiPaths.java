package dev.agentsessions.vertex;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import org.springdoc.core.customizers.OpenApiCustomizer;

import dev.agentsessions.openapi.ApiDocument;

/**
 * Lists every operation once in the OpenAPI document of the dialect, at the path that
 * most clients use, and names its other paths in its description.
 */
class VertexOpenApiPaths implements OpenApiCustomizer {

	private static final String VERSION = "/{version}";

	private static final String LOCATION = "/projects/{project}/locations/{location}";

	private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

	/** The suffix by which springdoc distinguishes operations of the same method. */
	private static final Pattern ID_SUFFIX = Pattern.compile("_\\d+$");

	private final ApiDocument document;

	VertexOpenApiPaths(ApiDocument document) {
		this.document = document;
	}

	@Override
	public void customise(OpenAPI api) {
		Paths all = api.getPaths();
		Paths shown = new Paths();
		all.forEach((path, operations) -> {
			if (path.startsWith(VERSION + LOCATION) || !path.startsWith(VERSION)) {
				operations.readOperations().forEach((operation) -> complete(operation, path));
				shown.addPathItem(path.replace(VERSION, "/v1beta1"), operations);
			}
		});
		api.setPaths(shown);
		this.document.customise(api);
		api.getPaths().forEach((path, operations) -> addOtherPaths(path, operations, all));
	}

	/**
	 * Adds the variables of the path, for which controllers have the engine as their
	 * parameter.
	 */
	private static void complete(Operation operation, String path) {
		List<Parameter> parameters = new ArrayList<>();
		VARIABLE.matcher(path.replace(VERSION, ""))
			.results()
			.forEach((variable) -> parameters.add(ofPath(variable.group(1))));
		if (operation.getParameters() != null) {
			operation.getParameters()
				.stream()
				.filter((parameter) -> !parameter.getIn().equals("path"))
				.forEach(parameters::add);
		}
		operation.parameters(parameters);
		operation.operationId(ID_SUFFIX.matcher(operation.getOperationId()).replaceAll(""));
	}

	private static Parameter ofPath(String name) {
		return new Parameter().in("path").name(name).required(true).schema(new StringSchema());
	}

	private static void addOtherPaths(String path, PathItem operations, Map<String, PathItem> all) {
		TreeSet<String> others = new TreeSet<>();
		String rest = path.replace("/v1beta1", "");
		for (String pattern : List.of(VERSION + rest, VERSION + rest.replace(LOCATION, ""))) {
			if (all.containsKey(pattern)) {
				List.of("/v1", "/v1beta1").forEach((version) -> others.add(pattern.replace(VERSION, version)));
			}
		}
		others.remove(path);
		if (!others.isEmpty()) {
			String list = "\n\nAlso at `" + String.join("`, `", others) + "`.";
			operations.readOperations()
				.forEach((operation) -> operation.description(operation.getDescription() + list));
		}
	}

}
