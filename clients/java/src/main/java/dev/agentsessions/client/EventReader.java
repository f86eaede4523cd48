// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.genai.types.CustomMetadata;
import com.google.genai.types.StringList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads events of any ADK into ADK Java's type. */
final class EventReader {

	/**
	 * The key of the custom metadata with the paths of what could not be read; the
	 * clients in all languages use it.
	 */
	static final String UNREADABLE = "agent_sessions_unreadable";

	private static final Logger LOGGER = LoggerFactory.getLogger(AgentSessionService.class);

	private static final Cache<String, Boolean> REPORTED = CacheBuilder.newBuilder().maximumSize(1_000).build();

	private static final ObjectMapper JSON = mapper();

	private EventReader() {
	}

	/** Accepts null for any field, which then is absent. */
	private static ObjectMapper mapper() {
		ObjectMapper mapper = JsonBaseModel.getMapper().copy().registerModule(new BytesAndTimes());
		mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
		mapper.setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
		mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, Nulls.FAIL));
		return mapper;
	}

	/**
	 * Reads an event with times in milliseconds. Leaves out values that ADK cannot hold:
	 * only the smallest part that is wrong. Logs them once, and lists their paths in the
	 * custom metadata of the event.
	 */
	static Event read(ObjectNode json, String sessionId) {
		List<String> dropped = new ArrayList<>();
		Event event = read(json, Event.class, dropped);
		if (!dropped.isEmpty()) {
			report(sessionId, event.id(), String.join(", ", dropped));
			mark(event, dropped);
		}
		return event;
	}

	/**
	 * Reads a value without the smallest parts that its type cannot hold.
	 * @param dropped gets their paths
	 */
	static <T> T read(ObjectNode json, Class<T> type, List<String> dropped) {
		Attempt<T> attempt = attempt(json, type);
		for (; attempt.value() == null; attempt = attempt(json, type)) {
			JsonPointer wrong = smallest(json, type, attempt.wrong(), attempt.wrong());
			if (wrong.matches()) {
				throw new IllegalStateException("ADK cannot read " + json.path("id"));
			}
			dropped.add(path(json, wrong, "", dropped));
			remove(json, wrong);
		}
		return attempt.value();
	}

	/** A value, or the place of the first value within it that is wrong. */
	private record Attempt<T>(T value, JsonPointer wrong) {
	}

	private static <T> Attempt<T> attempt(ObjectNode json, Class<T> type) {
		try {
			return new Attempt<>(JSON.treeToValue(json, type), null);
		}
		catch (JsonMappingException ex) {
			return new Attempt<>(null, place(json, ex.getPath()));
		}
		catch (JsonProcessingException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns a place, or the smallest place around it that exists. */
	private static JsonPointer place(JsonNode json, List<JsonMappingException.Reference> steps) {
		JsonPointer place = JsonPointer.empty();
		for (JsonMappingException.Reference step : steps) {
			JsonPointer next = (step.getFieldName() != null) ? place.appendProperty(step.getFieldName())
					: place.appendIndex(step.getIndex());
			if (json.at(next).isMissingNode()) {
				break;
			}
			place = next;
		}
		return place;
	}

	/**
	 * Returns the smallest place within another one without which nothing is wrong with
	 * the wrong place: a setter or a constructor of ADK fails without telling the place.
	 */
	private static JsonPointer smallest(ObjectNode json, Class<?> type, JsonPointer wrong,
			JsonPointer within) {
		for (JsonPointer step : steps(json.at(within), within)) {
			ObjectNode rest = json.deepCopy();
			remove(rest, step);
			if (!wrong.equals(attempt(rest, type).wrong())) {
				return smallest(json, type, wrong, step);
			}
		}
		return within;
	}

	private static List<JsonPointer> steps(JsonNode value, JsonPointer place) {
		List<JsonPointer> steps = new ArrayList<>();
		value.fieldNames().forEachRemaining((name) -> steps.add(place.appendProperty(name)));
		for (int index = 0; value.isArray() && index < value.size(); index++) {
			steps.add(place.appendIndex(index));
		}
		return steps;
	}

	private static void remove(JsonNode json, JsonPointer place) {
		JsonNode parent = json.at(place.head());
		if (parent instanceof ArrayNode items) {
			items.remove(place.last().getMatchingIndex());
		}
		else {
			((ObjectNode) parent).remove(place.last().getMatchingProperty());
		}
	}

	/** Returns a place as it was before earlier items of arrays were dropped. */
	private static String path(JsonNode around, JsonPointer place, String before, List<String> dropped) {
		String step = place.getMatchingProperty();
		JsonNode value = around.get(step);
		if (around.isArray()) {
			value = around.get(place.getMatchingIndex());
			String items = Pattern.quote(before) + "[0-9]+";
			step = "" + (place.getMatchingIndex() + dropped.stream().filter((path) -> path.matches(items)).count());
		}
		return place.tail().matches() ? before + step : path(value, place.tail(), before + step + ".", dropped);
	}

	/** Logs a report once, however often the event is read. */
	private static void report(String sessionId, String eventId, String paths) {
		String text = "Session " + sessionId + ": ADK cannot hold these parts of the event " + eventId
				+ ", which are left out: " + paths;
		if (REPORTED.asMap().putIfAbsent(text, true) == null) {
			LOGGER.warn(text);
		}
	}

	private static void mark(Event event, List<String> dropped) {
		List<CustomMetadata> metadata = new ArrayList<>(event.customMetadata().orElse(List.of()));
		StringList paths = StringList.builder().values(dropped).build();
		metadata.add(CustomMetadata.builder().key(UNREADABLE).stringListValue(paths).build());
		event.setCustomMetadata(metadata);
	}

}
