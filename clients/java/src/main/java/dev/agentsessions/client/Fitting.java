// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Leaves out of a value the smallest parts that its type cannot hold. It reads each part
 * alone: Jackson stops at the first wrong part, so beginning again after each of
 * thousands of them would take minutes.
 */
final class Fitting {

	private final ObjectMapper mapper;

	private final List<String> dropped;

	/**
	 * Creates an instance for one value.
	 * @param mapper knows the types
	 * @param dropped gets the paths of what is left out
	 */
	Fitting(ObjectMapper mapper, List<String> dropped) {
		this.mapper = mapper;
		this.dropped = dropped;
	}

	/** Leaves parts out of a value. */
	void fit(JsonNode value, Class<?> type) throws JsonMappingException {
		DeserializationContext context = context(this.mapper.treeAsTokens(value));
		JsonDeserializer<?> reader = context.findRootValueDeserializer(this.mapper.constructType(type));
		fit(value, reader, reader::deserialize, "");
	}

	/** Returns whether what is left of a value can be read. */
	private boolean fit(JsonNode value, JsonDeserializer<?> reader, Reading reading, String path) {
		if (reads(value, reading)) {
			return true;
		}
		if (reader instanceof ContainerDeserializerBase && !reads(alone(value, Map.of()), reading)) {
			return false; // an array instead of an object, or an object instead of an array
		}
		Map<String, JsonNode> parts = parts(value);
		parts.entrySet().removeIf((part) -> {
			String place = path.isEmpty() ? part.getKey() : path + "." + part.getKey();
			boolean fits = (reader instanceof ContainerDeserializerBase<?> container)
					? fitsItem(value, part, container, reading, place) : fitsField(part, reader, place);
			return !fits && this.dropped.add(place);
		});
		setParts(value, parts);
		return reads(value, reading);
	}

	/** Reads an item also in an array or object without others, which may refuse null. */
	private boolean fitsItem(JsonNode around, Map.Entry<String, JsonNode> item, ContainerDeserializerBase<?> container,
			Reading reading, String path) {
		JsonDeserializer<?> reader = container.getContentDeserializer();
		JsonNode value = item.getValue();
		return (reader == null || value.isNull() || fit(value, reader, reader::deserialize, path))
				&& reads(alone(around, Map.of(item.getKey(), value)), reading);
	}

	/** A field that the type does not have fits: it is ignored. */
	private boolean fitsField(Map.Entry<String, JsonNode> field, JsonDeserializer<?> reader, String path) {
		if (reader instanceof BeanDeserializerBase bean) {
			SettableBeanProperty property = bean.findProperty(field.getKey());
			return property == null || fit(field.getValue(), property.getValueDeserializer(), setting(property, bean), path);
		}
		return true;
	}

	/** Reads a field and calls its setter, which may refuse the value. */
	private static Reading setting(SettableBeanProperty property, BeanDeserializerBase bean) {
		return (parser, context) -> property.deserializeSetAndReturn(parser, context,
				bean.getValueInstantiator().createUsingDefault(context));
	}

	private boolean reads(JsonNode value, Reading reading) {
		try (JsonParser parser = this.mapper.treeAsTokens(value)) {
			parser.nextToken();
			reading.read(parser, context(parser));
			return true;
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	private DefaultDeserializationContext context(JsonParser parser) {
		return ((DefaultDeserializationContext) this.mapper.getDeserializationContext())
			.createInstance(this.mapper.getDeserializationConfig(), parser, this.mapper.getInjectableValues());
	}

	/** Returns the fields of an object, or the items of an array by their indexes. */
	private static Map<String, JsonNode> parts(JsonNode value) {
		Map<String, JsonNode> parts = new LinkedHashMap<>();
		value.properties().forEach((field) -> parts.put(field.getKey(), field.getValue()));
		for (int index = 0; value.isArray() && index < value.size(); index++) {
			parts.put(Integer.toString(index), value.get(index));
		}
		return parts;
	}

	/** Returns an array or an object, as another value is, with these parts alone. */
	private static JsonNode alone(JsonNode around, Map<String, JsonNode> parts) {
		JsonNode alone = around.isArray() ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
		setParts(alone, parts);
		return alone;
	}

	private static void setParts(JsonNode value, Map<String, JsonNode> parts) {
		if (value instanceof ObjectNode object) {
			object.removeAll().setAll(parts);
		}
		if (value instanceof ArrayNode array) {
			array.removeAll().addAll(parts.values());
		}
	}

	private interface Reading {

		Object read(JsonParser parser, DeserializationContext context) throws IOException;

	}

}
