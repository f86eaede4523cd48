// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.events.Event;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.memory.SearchMemoryResponse;
import com.google.common.base.Strings;
import com.google.genai.types.Content;
import com.google.genai.types.Part;

/** Converts between ADK's objects for memory and the JSON of the service. */
final class MemoryFormat {

	static final SearchMemoryResponse NOTHING = SearchMemoryResponse.builder().setMemories(List.of()).build();

	/** The length of the longest query that the service accepts, in UTF-16 code units. */
	private static final int MAX_QUERY = 2_000;

	private MemoryFormat() {
	}

	static ObjectNode writeSessionId(String sessionId) {
		return object().put("sessionId", sessionId);
	}

	/** Returns the body of a search, without the limits of its response. */
	static ObjectNode writeQuery(String query, String exceptSessionId) {
		ObjectNode body = object().put("q", cut(query)).put("mode", "text").put("facts", true);
		return (exceptSessionId != null) ? body.put("exceptSessionId", exceptSessionId) : body;
	}

	private static String cut(String query) {
		if (query.length() <= MAX_QUERY) {
			return query;
		}
		// Half of a surrogate pair is no character.
		boolean divides = Character.isHighSurrogate(query.charAt(MAX_QUERY - 1));
		return query.substring(0, divides ? MAX_QUERY - 1 : MAX_QUERY);
	}

	/** Returns an event as a fact with a stable id; empty if the event has no text. */
	static Optional<JsonNode> writeFact(String sessionId, Event event) {
		List<String> texts = texts(event);
		if (texts.isEmpty()) {
			return Optional.empty();
		}
		ObjectNode fact = object().put("author", Strings.emptyToNull(event.author()))
			.put("timestamp", BigDecimal.valueOf(event.timestamp(), 3));
		ObjectNode content = fact.putObject("content");
		event.content().flatMap(Content::role).ifPresent((role) -> content.put("role", role));
		ArrayNode parts = content.putArray("parts");
		texts.forEach((text) -> parts.addObject().put("text", text));
		fact.putObject("metadata").put("session_id", sessionId).put("event_id", event.id());
		String name = Strings.isNullOrEmpty(event.id()) ? fact.toString() : event.id();
		byte[] named = ("agent-sessions\n" + sessionId + "\n" + name).getBytes(StandardCharsets.UTF_8);
		return Optional.of(fact.put("id", UUID.nameUUIDFromBytes(named).toString()));
	}

	/** Returns the texts of an event, without thoughts. */
	private static List<String> texts(Event event) {
		return event.content()
			.flatMap(Content::parts)
			.orElse(List.of())
			.stream()
			.filter((part) -> !part.thought().orElse(false))
			.flatMap((part) -> part.text().stream())
			.filter((text) -> !text.isBlank())
			.toList();
	}

	static SearchMemoryResponse readHits(JsonNode response) {
		List<MemoryEntry> entries = new ArrayList<>();
		response.get("hits").forEach((hit) -> entries.add(readHit(hit)));
		return SearchMemoryResponse.builder().setMemories(entries).build();
	}

	/**
	 * Reads a hit. The turns around it become lines of its text, so that a model sees the
	 * whole exchange.
	 */
	private static MemoryEntry readHit(JsonNode hit) {
		List<String> lines = new ArrayList<>();
		hit.path("before").forEach((turn) -> lines.add(line(turn)));
		lines.add(line(hit));
		hit.path("after").forEach((turn) -> lines.add(line(turn)));
		List<String> texts = (lines.size() > 1) ? List.of(String.join("\n", lines)) : texts(hit);
		Content.Builder content = Content.builder().parts(texts.stream().map(Part::fromText).toList());
		if (hit.at("/content/role").isTextual()) {
			content.role(hit.at("/content/role").asText());
		}
		return MemoryEntry.builder()
			.content(content.build())
			.author(Strings.emptyToNull(hit.path("author").asText()))
			.timestamp(WireFormat.instant(hit.get("timestamp")))
			.build();
	}

	private static String line(JsonNode turn) {
		return turn.path("author").asText() + ": " + String.join("\n", texts(turn));
	}

	private static List<String> texts(JsonNode turn) {
		return turn.at("/content/parts").findValuesAsText("text");
	}

	private static ObjectNode object() {
		return JsonNodeFactory.instance.objectNode();
	}

}
