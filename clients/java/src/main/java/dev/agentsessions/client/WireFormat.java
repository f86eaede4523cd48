// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
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
		JsonNode json = WRITER.valueToTree(Map.of("sessionId", id, "state", (state != null) ? state : Map.of()));
		return withoutTemp(json, "/state");
	}

	static String write(Event event) {
		ObjectNode json = WRITER.valueToTree(event);
		moveTimes(json, -3);
		return withoutTemp(json, "/actions/stateDelta");
	}

	static Session readSession(JsonNode json) {
		// A state in ADK Java cannot contain null.
		json.get("state").properties().removeIf((entry) -> entry.getValue().isNull());
		json.get("events").forEach((event) -> makeReadable((ObjectNode) event));
		Session session = JsonBaseModel.fromJsonNode(json, Session.class);
		session.lastUpdateTime(instant(json.get("lastUpdateTime")));
		return session;
	}

	static Event readEvent(JsonNode json) {
		makeReadable((ObjectNode) json);
		return JsonBaseModel.fromJsonNode(json, Event.class);
	}

	static Instant instant(JsonNode seconds) {
		long micros = Math.round(seconds.decimalValue().movePointRight(6).doubleValue());
		return Instant.EPOCH.plusNanos(micros * 1000);
	}

	/**
	 * Prepares an event for ADK Java, also an event from ADK in another language. Removes
	 * the fields that ADK Java cannot read.
	 */
	private static void makeReadable(ObjectNode json) {
		moveTimes(json, 3);
		json.at("/actions/stateDelta").properties().forEach((entry) -> {
			if (entry.getValue().asText().equals(JSON.convertValue(State.REMOVED, String.class))) {
				entry.setValue(NullNode.instance); // ADK reads null as State.REMOVED
			}
		});
		for (JsonNode part : json.path("content").path("parts")) {
			withJavasLetters(part, "thoughtSignature");
			withJavasLetters(part.path("inlineData"), "data");
		}
		json.properties().removeIf((field) -> !isReadable(field.getKey(), field.getValue()));
	}

	private static boolean isReadable(String name, JsonNode value) {
		try {
			JsonBaseModel.fromJsonNode(JSON.createObjectNode().set(name, value), Event.class);
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** Converts URL-safe Base64, which ADK Python writes, to standard Base64. */
	private static void withJavasLetters(JsonNode blob, String field) {
		if (blob.has(field)) {
			((ObjectNode) blob).put(field, blob.get(field).asText().replace('-', '+').replace('_', '/'));
		}
	}

	/** Converts times between seconds and milliseconds by moving the decimal point. */
	private static void moveTimes(ObjectNode event, int digits) {
		JsonNode compaction = event.at("/actions/compaction");
		Map.of("timestamp", event, "startTimestamp", compaction, "endTimestamp", compaction).forEach((field, node) -> {
			if (node.path(field).isNumber()) {
				((ObjectNode) node).put(field, node.get(field).decimalValue().movePointRight(digits));
			}
		});
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
