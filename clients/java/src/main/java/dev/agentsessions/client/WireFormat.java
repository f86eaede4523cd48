// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Map;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.State;

/**
 * Converts between ADK's objects, with times in milliseconds, and the JSON of the
 * service, with times in seconds.
 */
final class WireFormat {

	/** Maximum nesting depth; bounds the output of a value that contains itself. */
	private static final int DEEPEST = 100;

	private static final ObjectMapper JSON = JsonBaseModel.getMapper();

	/** Converts maps key by key, so that a value without a JSON form becomes text. */
	private static final ObjectMapper WRITER = JSON.copy()
		.registerModule(new BytesAndTimes())
		.registerModule(new SimpleModule().addSerializer(Map.class,
				new StdDelegatingSerializer(new StdConverter<Map<?, ?>, JsonNode>() {
					@Override
					public JsonNode convert(Map<?, ?> map) {
						return sayable(map, 0);
					}
				})));

	private WireFormat() {
	}

	static String newSession(String id, Map<String, Object> state) {
		JsonNode json = WRITER.valueToTree(Map.of("sessionId", (id != null) ? id : "", "state", (state != null) ? state : Map.of()));
		return withoutTemp(json, "/state");
	}

	static String write(Event event) {
		ObjectNode json = WRITER.valueToTree(event);
		changeTimes(json, WireFormat::seconds);
		Metadata.toObject(json);
		return withoutTemp(json, "/actions/stateDelta");
	}

	static Session readSession(JsonNode json) {
		// A state in ADK Java cannot contain null.
		json.get("state").properties().removeIf((entry) -> entry.getValue().isNull());
		JsonNode events = ((ObjectNode) json).remove("events");
		Session session = JsonBaseModel.fromJsonNode(json, Session.class);
		events.forEach((event) -> session.events().add(readEvent(event, session.id())));
		session.lastUpdateTime(instant(json.get("lastUpdateTime")));
		return session;
	}

	/** Reads an event of ADK in any language. */
	static Event readEvent(JsonNode json, String sessionId) {
		changeTimes(json, WireFormat::millis);
		Metadata.toEntries((ObjectNode) json);
		json.at("/actions/stateDelta").properties().forEach((entry) -> {
			if (entry.getValue().asText().equals(JSON.convertValue(State.REMOVED, String.class))) {
				entry.setValue(NullNode.instance); // ADK reads null as State.REMOVED
			}
		});
		return EventReader.read((ObjectNode) json, sessionId);
	}

	static Instant instant(JsonNode seconds) {
		long micros = Math.round(seconds.decimalValue().movePointRight(6).doubleValue());
		return Instant.EPOCH.plusNanos(micros * 1000);
	}

	private static void changeTimes(JsonNode event, UnaryOperator<JsonNode> change) {
		JsonNode compaction = event.at("/actions/compaction");
		Map.of("timestamp", event, "startTimestamp", compaction, "endTimestamp", compaction).forEach((field, node) -> {
			if (node.has(field)) {
				((ObjectNode) node).set(field, change.apply(node.get(field)));
			}
		});
	}

	private static JsonNode seconds(JsonNode millis) {
		return DecimalNode.valueOf(millis.decimalValue().movePointLeft(3));
	}

	/** Converts seconds, or a time in RFC 3339 as ADK Go writes it, to milliseconds. */
	private static JsonNode millis(JsonNode time) {
		if (time.isNumber()) {
			return BigIntegerNode.valueOf(time.decimalValue().movePointRight(3).toBigInteger());
		}
		try {
			return LongNode.valueOf(Instant.parse(time.asText()).toEpochMilli());
		}
		catch (DateTimeParseException ex) {
			return time;
		}
	}

	private static String withoutTemp(JsonNode json, String state) {
		json.at(state).properties().removeIf((entry) -> entry.getKey().startsWith(State.TEMP_PREFIX));
		return json.toString();
	}

	private static JsonNode sayable(Object value, int depth) {
		try {
			return JSON.valueToTree(value);
		}
		catch (IllegalArgumentException ex) {
			if (value instanceof Map<?, ?> map && depth < DEEPEST) {
				ObjectNode json = JSON.createObjectNode();
				map.forEach((key, item) -> json.set(String.valueOf(key), sayable(item, depth + 1)));
				return json;
			}
			if (value instanceof Collection<?> items && depth < DEEPEST) {
				return JSON.createArrayNode().addAll(items.stream().map((item) -> sayable(item, depth + 1)).toList());
			}
			return TextNode.valueOf((depth < DEEPEST) ? value.toString() : "...");
		}
	}

}
