package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonShape;

/**
 * Compares a schema of an OpenAPI document with the shape that the service checks. A
 * client with typed fields fails for a whole session if one stored value has a type that
 * the document does not name.
 */
public final class SchemaOfShape {

	private static final Map<String, String> SAMPLES = Map.of("string", "\"1\"", "number", "0.5", "integer", "1",
			"boolean", "true", "object", "{}", "array", "[]");

	private SchemaOfShape() {
	}

	/** Checks that a schema has the fields of a shape, and no type that it refuses. */
	public static void assertHasFields(ApiDescription api, String name, JsonShape shape) {
		assertHasFields(api, name, shape,
				shape.names().stream().map(FieldNames::toCamelCase).collect(Collectors.toCollection(TreeSet::new)));
	}

	/**
	 * Checks that a schema has these fields and no others, and no type that the shape
	 * refuses.
	 */
	public static void assertHasFields(ApiDescription api, String name, JsonShape shape, Collection<String> fields) {
		JsonNode properties = api.document().at("/components/schemas/" + name + "/properties");
		assertThat(properties.propertyNames()).as("fields of the schema " + name)
			.containsExactlyInAnyOrderElementsOf(fields);
		properties.forEachEntry((field, schema) -> {
			JsonNode type = api.resolve(schema).path("type");
			if (!type.isMissingNode() && shape.member(field) != JsonShape.ANY) {
				assertThat(typesOf(shape, field)).as("types of %s in %s", field, name)
					.contains(type.stringValue())
					.isSubsetOf(type.stringValue().equals("number") ? Set.of("number", "integer")
							: Set.of(type.stringValue()));
			}
		});
	}

	private static Set<String> typesOf(JsonShape shape, String field) {
		return SAMPLES.entrySet()
			.stream()
			.filter((sample) -> accepts(shape, field, sample.getValue()))
			.map(Map.Entry::getKey)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static boolean accepts(JsonShape shape, String field, String value) {
		try {
			shape.check(JsonObject.parse("{\"%s\":%s}".formatted(field, value)));
			return true;
		}
		catch (InvalidShape ex) {
			// Only the value itself counts, not what it lacks
			return ex.rule().equals("is required");
		}
	}

}
