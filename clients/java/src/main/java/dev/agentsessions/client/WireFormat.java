// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.State;
import com.google.genai.types.Content;
import com.google.genai.types.Part;

/** Between ADK's objects, whose times are milliseconds, and the JSON of the service, whose times are seconds. */
final class WireFormat {

	private static final ObjectMapper JSON = JsonBaseModel.getMapper();

	private WireFormat() {
	}

	static String newSession(String id, Map<String, Object> state) {
		ObjectNode json = JSON.createObjectNode().put("sessionId", id);
		json.set("state", withoutTemp(JSON.valueToTree(plain((state != null) ? state : Map.of()))));
		return json.toString();
	}

	static String write(Event event) {
		ObjectNode json;
		try {
			json = JSON.valueToTree(event);
		}
		catch (IllegalArgumentException ex) {
			json = JSON.valueToTree(sayable(event));
		}
		withoutTemp(json.path("actions").path("stateDelta"));
		convertTimes(json, (millis) -> millis.movePointLeft(3));
		return json.toString();
	}

	static Session readSession(JsonNode json) {
		// ADK Java has no null in a state.
		json.get("state").properties().removeIf((entry) -> entry.getValue().isNull());
		return Session.builder(json.get("id").asText())
			.appName(json.get("appName").asText())
			.userId(json.get("userId").asText())
			.state(JSON.convertValue(json.get("state"), new TypeReference<Map<String, Object>>() {
			}))
			.events(readEvents(json.get("events")))
			.lastUpdateTime(lastUpdateTime(json))
			.build();
	}

	static Instant lastUpdateTime(JsonNode json) {
		BigDecimal micros = json.get("lastUpdateTime").decimalValue().movePointRight(6);
		return Instant.EPOCH.plusNanos(Math.round(micros.doubleValue()) * 1000);
	}

	static List<Event> readEvents(JsonNode json) {
		List<Event> events = new ArrayList<>();
		json.forEach((event) -> events.add(readEvent((ObjectNode) event)));
		return events;
	}

	/** An event, also of an ADK in another language. What Java has no place for is left out. */
	private static Event readEvent(ObjectNode json) {
		convertTimes(json, (seconds) -> seconds.movePointRight(3));
		json.path("actions").path("stateDelta").properties().forEach((entry) -> {
			if (entry.getValue().asText().equals(JSON.convertValue(State.REMOVED, String.class))) {
				entry.setValue(NullNode.instance); // what ADK reads as State.REMOVED
			}
		});
		for (JsonNode part : json.path("content").path("parts")) {
			withJavasLetters(part, "thoughtSignature");
			withJavasLetters(part.path("inlineData"), "data");
		}
		json.properties().removeIf((field) -> !isReadable(field.getKey(), field.getValue()));
		return JsonBaseModel.fromJsonNode(json, Event.class);
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

	/** Python's base64 has two other letters. */
	private static void withJavasLetters(JsonNode blob, String field) {
		if (blob.has(field)) {
			((ObjectNode) blob).put(field, blob.get(field).asText().replace('-', '+').replace('_', '/'));
		}
	}

	private static void convertTimes(ObjectNode event, UnaryOperator<BigDecimal> conversion) {
		JsonNode compaction = event.path("actions").path("compaction");
		Map.of("timestamp", event, "startTimestamp", compaction, "endTimestamp", compaction).forEach((field, node) -> {
			if (node.path(field).isNumber()) {
				BigDecimal time = conversion.apply(node.get(field).decimalValue());
				((ObjectNode) node).put(field, time);
			}
		});
	}

	private static ObjectNode withoutTemp(JsonNode state) {
		state.properties().removeIf((entry) -> entry.getKey().startsWith(State.TEMP_PREFIX));
		return (state instanceof ObjectNode object) ? object : null;
	}

	/** The event with texts instead of the values that JSON cannot say. */
	private static Event sayable(Event event) {
		Event.Builder copy = event.toBuilder();
		copy.actions(event.actions().toBuilder().stateDelta(new ConcurrentHashMap<>(plain(event.actions().stateDelta()))).build());
		event.content().flatMap(Content::parts).ifPresent((parts) -> {
			List<Part> plainParts = parts.stream().map(WireFormat::sayable).toList();
			copy.content(event.content().get().toBuilder().parts(plainParts).build());
		});
		return copy.build();
	}

	private static Part sayable(Part part) {
		Part.Builder copy = part.toBuilder();
		part.functionCall().ifPresent((call) -> copy.functionCall(call.toBuilder().args(plain(call.args().orElse(Map.of()))).build()));
		part.functionResponse()
			.ifPresent((answer) -> copy.functionResponse(answer.toBuilder().response(plain(answer.response().orElse(Map.of()))).build()));
		return copy.build();
	}

	private static Map<String, Object> plain(Map<?, ?> values) {
		Map<String, Object> plain = new LinkedHashMap<>();
		values.forEach((key, value) -> plain.put(String.valueOf(key), plain(value)));
		return plain;
	}

	private static Object plain(Object value) {
		try {
			JSON.valueToTree(value);
			return value;
		}
		catch (IllegalArgumentException ex) {
			if (value instanceof Map<?, ?> map && !String.valueOf(map).contains("(this Map)")) {
				return plain(map);
			}
			return (value instanceof List<?> list) ? list.stream().map(WireFormat::plain).toList() : String.valueOf(value);
		}
	}

}
