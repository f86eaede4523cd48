// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.session.SessionEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The log of Spring AI Session, made of the events of a session. A compaction is an event
 * that says which events it archives and which ones are active then. No event is removed.
 */
final class SessionLog {

	/**
	 * The key of the state with the events that were active after the last compaction.
	 */
	static final String ACTIVE = "springAiActive";

	/** The key of the state with the id of the current turn. */
	static final String TURN = "springAiTurn";

	private static final String ITEM = "springAiEvent";

	private static final String ARCHIVED = "springAiArchived";

	private static final JsonMapper JSON = ConversationSessions.JSON;

	private final String sessionId;

	private final Map<String, SessionEvent> archived = new LinkedHashMap<>();

	private final Map<String, SessionEvent> active = new LinkedHashMap<>();

	SessionLog(String sessionId) {
		this.sessionId = sessionId;
	}

	/** Writes an event that is new. A message of the user begins a turn. */
	static ObjectNode write(SessionEvent event, String turn) {
		String id = Names.sessionId(event.getId());
		boolean begins = event.getMessageType() == MessageType.USER;
		ObjectNode written = write(event, id, (begins || turn.isEmpty()) ? id : turn);
		if (begins) {
			written.withObjectProperty("actions").withObjectProperty("stateDelta").put(TURN, id);
		}
		return written;
	}

	private static ObjectNode write(SessionEvent event, String id, String turn) {
		Instant time = event.getTimestamp();
		ObjectNode written = MessageFormat.write(id, turn, event.getMessage())
			.put("timestamp", time.getEpochSecond() + time.getNano() / 1e9);
		if (event.getBranch() != null) {
			written.put("branch", event.getBranch());
		}
		written.withObjectProperty("customMetadata")
			.putObject(ITEM)
			.put("timestamp", time.toString())
			.put("archived", event.isArchived())
			.set("metadata", MessageFormat.json(event.getMetadata()));
		return written;
	}

	/**
	 * Adds a compaction to the last one of the new events, or to an event of its own if
	 * there are none.
	 * @param revision the revision of the session before these events
	 */
	static void compact(List<ObjectNode> events, List<String> archived, List<String> active, long revision) {
		if (events.isEmpty()) {
			String id = UUID.randomUUID().toString();
			events.add(JSON.createObjectNode().put("id", id).put("invocationId", id).put("author", "system"));
		}
		ObjectNode last = events.get(events.size() - 1);
		archived.forEach(last.withObjectProperty("customMetadata").putArray(ARCHIVED)::add);
		ObjectNode state = last.withObjectProperty("actions").withObjectProperty("stateDelta").putObject(ACTIVE);
		state.put("seq", revision + events.size());
		active.forEach(state.putArray("events")::add);
	}

	/** Adds an event of the service, and archives what it compacts. */
	void add(JsonNode event) {
		addMessage(event);
		JsonNode compacted = event.path("customMetadata").path(ARCHIVED);
		if (compacted.isArray()) {
			Map<String, SessionEvent> before = new LinkedHashMap<>(this.active);
			this.active.clear();
			for (JsonNode id : compacted.values()) {
				take(before, id).ifPresent((found) -> this.archived.put(id.asString(), found.asArchived()));
			}
			for (JsonNode id : event.path("actions").path("stateDelta").path(ACTIVE).path("events").values()) {
				take(before, id).ifPresent((found) -> this.active.put(id.asString(), found));
			}
		}
	}

	/** Adds an event that was active after a compaction, whatever it compacts. */
	void addMessage(JsonNode event) {
		JsonNode item = event.path("customMetadata").path(ITEM);
		if (item.isObject()) {
			String id = event.path("id").asString();
			MessageFormat.read(event).ifPresent((message) -> {
				SessionEvent read = read(event, item, message);
				(read.isArchived() ? this.archived : this.active).put(id, read);
			});
		}
	}

	private SessionEvent read(JsonNode event, JsonNode item, Message message) {
		return SessionEvent.builder()
			.id(Names.nameOf(event.path("id").asString()))
			.sessionId(this.sessionId)
			.timestamp(Instant.parse(item.path("timestamp").asString()))
			.message(message)
			.metadata(MessageFormat.map(item.path("metadata")))
			.branch(event.path("branch").stringValue(null))
			.archived(item.path("archived").asBoolean())
			.build();
	}

	private static Optional<SessionEvent> take(Map<String, SessionEvent> events, JsonNode id) {
		return Optional.ofNullable(events.get(id.asString()));
	}

	/** Returns the archived events and then the active ones. */
	List<SessionEvent> events() {
		List<SessionEvent> events = new ArrayList<>(this.archived.values());
		events.addAll(this.active.values());
		return events;
	}

}
