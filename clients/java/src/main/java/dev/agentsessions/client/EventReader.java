// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
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
		try {
			return JSON.treeToValue(json, type);
		}
		catch (JsonProcessingException ex) {
			return readLeft(json, type, dropped);
		}
	}

	private static <T> T readLeft(ObjectNode json, Class<T> type, List<String> dropped) {
		try {
			new Fitting(JSON, dropped).fit(json, type);
			return JSON.treeToValue(json, type);
		}
		catch (JsonProcessingException ex) {
			throw new IllegalStateException("ADK cannot read " + json.path("id"), ex);
		}
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
