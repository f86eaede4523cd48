package dev.agentsessions.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Http;

/**
 * The dialect's OpenAPI document as the service serves it.
 *
 * @param document the document
 */
public record ApiDescription(JsonNode document) {

	/** The document of a group. */
	public static ApiDescription of(Http http, String group) {
		return new ApiDescription(http.get("/v3/api-docs/" + group).ok().json());
	}

	/** Its operations from top to bottom. */
	public List<ApiOperation> operations() {
		List<ApiOperation> operations = new ArrayList<>();
		this.document.at("/paths")
			.forEachEntry((path, methods) -> methods.forEachEntry(
					(method, text) -> operations.add(new ApiOperation(this, method.toUpperCase(), path, text))));
		return operations;
	}

	/** What a reference points to; anything else as it is. */
	JsonNode resolve(JsonNode node) {
		JsonNode reference = node.path("$ref");
		return reference.isMissingNode() ? node : resolve(this.document.at(reference.stringValue().substring(1)));
	}

	/** The values of the examples of a body, by name. */
	public Map<String, JsonNode> examples(JsonNode mediaType) {
		Map<String, JsonNode> values = new LinkedHashMap<>();
		mediaType.path("examples").forEachEntry((name, example) -> values.put(name, resolve(example).path("value")));
		return values;
	}

	/** The examples that operations share, by name. */
	Map<String, JsonNode> sharedExamples() {
		return examples(this.document.path("components"));
	}

	/** The examples of errors among those, which have a field of this name. */
	public Map<String, JsonNode> errorExamples(String field) {
		Map<String, JsonNode> errors = new LinkedHashMap<>(sharedExamples());
		errors.values().removeIf((example) -> !example.has(field));
		return errors;
	}

	/** Every reference in the document. */
	Stream<String> references() {
		return this.document.findValues("$ref").stream().map(JsonNode::stringValue);
	}

}
