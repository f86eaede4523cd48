// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.math.BigDecimal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts the custom metadata of an event between the object that ADK writes in other
 * languages and the entries of ADK Java.
 */
final class Metadata {

	private static final String FIELD = "customMetadata";

	private static final String KEY = "key";

	private static final String TEXT = "stringValue";

	private static final String NUMBER = "numericValue";

	private static final String TEXTS = "stringListValue";

	private Metadata() {
	}

	/** Makes entries of an object. */
	static void toEntries(ObjectNode event) {
		if (event.get(FIELD) instanceof ObjectNode object) {
			ArrayNode entries = event.putArray(FIELD);
			object.properties().forEach((field) -> set(entries.addObject().put(KEY, field.getKey()), field.getValue()));
		}
	}

	/** Sets the value of an entry. A value that no entry can have becomes its JSON text. */
	private static void set(ObjectNode entry, JsonNode value) {
		if (value.isNumber() && isFloat(value)) {
			entry.set(NUMBER, value);
		}
		else if (value.isArray() && value.valueStream().allMatch(JsonNode::isTextual)) {
			entry.putObject(TEXTS).set("values", value);
		}
		else if (!value.isNull()) {
			entry.put(TEXT, value.isTextual() ? value.asText() : value.toString());
		}
	}

	/** Returns whether a float has the same digits as a number. */
	private static boolean isFloat(JsonNode number) {
		float nearest = number.floatValue();
		return Float.isFinite(nearest) && new BigDecimal(Float.toString(nearest)).compareTo(number.decimalValue()) == 0;
	}

	/** Makes an object of entries, unless an object cannot have all that they have. */
	static void toObject(ObjectNode event) {
		JsonNode entries = event.path(FIELD);
		ObjectNode object = JsonNodeFactory.instance.objectNode();
		for (JsonNode entry : entries) {
			JsonNode values = ((ObjectNode) entry.deepCopy()).without(KEY);
			values.properties().removeIf((field) -> field.getValue().isNull());
			if (!entry.path(KEY).isTextual() || object.has(entry.get(KEY).asText()) || values.size() > 1) {
				return;
			}
			JsonNode value = values.isEmpty() ? NullNode.instance : values.elements().next();
			object.set(entry.get(KEY).asText(), values.has(TEXTS) ? value.withArray("values") : value);
		}
		if (entries.isArray()) {
			event.set(FIELD, object);
		}
	}

}
