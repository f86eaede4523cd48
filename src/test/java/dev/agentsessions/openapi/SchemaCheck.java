package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/**
 * Checks values against the schemas of the document, as far as these go.
 *
 * @param api the document
 */
public record SchemaCheck(ApiDescription api) {

	void check(JsonNode value, JsonNode schemaOrReference) {
		JsonNode schema = this.api.resolve(schemaOrReference);
		schema.path("allOf").forEach((part) -> check(value, part));
		if (schema.has("type")) {
			assertThat(types(schema)).as(value.toString()).contains(typeOf(value));
		}
		if (schema.has("enum")) {
			assertThat(schema.path("enum")).contains(value);
		}
		value.valueStream().filter((item) -> value.isArray()).forEach((item) -> check(item, schema.path("items")));
		if (value.isObject()) {
			checkMembers(value, schema);
		}
	}

	private void checkMembers(JsonNode object, JsonNode schema) {
		assertThat(object.propertyNames()).containsAll(strings(schema.path("required")));
		JsonNode others = schema.path("additionalProperties");
		object.forEachEntry((name, value) -> {
			JsonNode known = schema.path("properties").path(name);
			assertThat(known.isMissingNode() && others.isBoolean() && !others.booleanValue()).as(name).isFalse();
			check(value, known.isMissingNode() ? others : known);
		});
	}

	private static Set<String> types(JsonNode schema) {
		Set<String> types = strings(schema.path("type"));
		if (types.contains("number")) {
			types.add("integer");
		}
		return types;
	}

	private static String typeOf(JsonNode value) {
		return value.isIntegralNumber() ? "integer" : value.getNodeType().name().toLowerCase();
	}

	private static Set<String> strings(JsonNode oneOrMore) {
		Stream<JsonNode> all = oneOrMore.isArray() ? oneOrMore.valueStream() : Stream.of(oneOrMore);
		return all.map((string) -> string.asString(""))
			.filter((string) -> !string.isEmpty())
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
