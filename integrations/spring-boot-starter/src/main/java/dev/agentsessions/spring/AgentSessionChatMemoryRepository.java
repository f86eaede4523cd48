// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.agentsessions.spring.ConversationSessions.Key;
import dev.agentsessions.spring.ConversationSessions.Read;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the conversations of Spring AI. A conversation is a session, and a message is an
 * event. The state of the session says which messages the window has.
 * <p>
 * Spring AI reads a window and replaces it. What another thread or process has added in
 * between stays: a save drops only messages that the thread has read or saved before. A
 * thread that has done neither replaces the whole window. Events stay in the history when
 * the window drops their messages.
 */
public class AgentSessionChatMemoryRepository implements ChatMemoryRepository {

	private final ConversationSessions sessions;

	private final String app;

	private final AgentSessionsUser user;

	/** The conversation that the thread has read or saved last. */
	private final ThreadLocal<@Nullable Seen> seen = new ThreadLocal<>();

	AgentSessionChatMemoryRepository(ConversationSessions sessions, String app, AgentSessionsUser user) {
		this.sessions = sessions;
		this.app = app;
		this.user = user;
	}

	/** A message that a thread knows. The thread may forget it. */
	private record Known(String id, WeakReference<Message> message) {

		Known(String id, Message message) {
			this(id, new WeakReference<>(message));
		}

	}

	/** What a thread knows of a conversation. */
	private record Seen(Key key, Read read, List<Known> messages) {

		List<String> ids() {
			return this.messages.stream().map(Known::id).toList();
		}

		/** Whether a list can come from these messages. */
		boolean knowsAny(List<Message> list) {
			return this.messages.isEmpty() || this.messages.stream()
				.map((known) -> known.message().get())
				.anyMatch((known) -> list.stream().anyMatch((message) -> message == known));
		}

	}

	/** Returns the ids of the user's conversations whose windows have messages. */
	@Override
	public List<String> findConversationIds() {
		return this.sessions.list(this.app, this.user.current(), null)
			.stream()
			.filter((session) -> !session.path("state").path(MessageFormat.WINDOW).isEmpty())
			.map((session) -> Names.nameOf(session.path("id").asString()))
			.toList();
	}

	/** Returns the messages of the window, the oldest first. */
	@Override
	public List<Message> findByConversationId(String conversationId) {
		Map<String, Message> messages = new HashMap<>();
		Seen read = read(key(conversationId), messages);
		this.seen.set(read);
		return read.ids().stream().map((id) -> Objects.requireNonNull(messages.get(id))).toList();
	}

	/**
	 * Stores the messages that are new, and which ones the window has. Creates the
	 * session for the first message.
	 */
	@Override
	public void saveAll(String conversationId, List<Message> messages) {
		Key key = key(conversationId);
		@Nullable Seen before = this.seen.get();
		Map<String, Message> stored = new HashMap<>();
		boolean same = before != null && before.key().equals(key) && before.knowsAny(messages);
		if (!same) {
			before = read(key, stored);
		}
		List<Known> after = identify(before, messages, same, stored);
		List<String> ids = after.stream().map(Known::id).toList();
		if (!ids.equals(before.ids())) {
			Read now = append(before, ids, events(before, ids, messages));
			this.seen.set(new Seen(key, now, after));
		}
	}

	/**
	 * Removes all messages from the window, as {@code ChatMemory.clear} asks. The session
	 * keeps its events, its display name and its labels.
	 */
	@Override
	public void deleteByConversationId(String conversationId) {
		Seen before = read(key(conversationId), new HashMap<>());
		this.seen.remove();
		if (!before.read().window().isEmpty()) {
			append(before, List.of(), List.of());
		}
	}

	private Key key(String conversationId) {
		return new Key(this.app, this.user.current(), Names.sessionId(conversationId));
	}

	/** Reads the window, and puts its messages into the map. */
	private Seen read(Key key, Map<String, Message> messages) {
		Read read = this.sessions.read(key, true);
		Set<String> missing = new LinkedHashSet<>(read.window());
		put(read.events(), missing, messages);
		put(this.sessions.events(key, List.copyOf(missing)), missing, messages);
		List<Known> known = read.window()
			.stream()
			.filter(messages::containsKey)
			.map((id) -> new Known(id, Objects.requireNonNull(messages.get(id))))
			.toList();
		return new Seen(key, new Read(read.tag(), read.window(), List.of()), known);
	}

	private static void put(List<JsonNode> events, Set<String> wanted, Map<String, Message> messages) {
		for (JsonNode event : events) {
			String id = event.path("id").asString();
			if (wanted.remove(id)) {
				MessageFormat.read(event).ifPresent((message) -> messages.put(id, message));
			}
		}
	}

	/**
	 * Finds which messages are stored already. Those that the thread knows are the same
	 * objects, so a question that is asked again is a new message. Without any of them,
	 * for example after a copy, equal messages are the same ones.
	 */
	private static List<Known> identify(Seen before, List<Message> messages, boolean same,
			Map<String, Message> stored) {
		List<Known> left = new ArrayList<>(before.messages());
		return messages.stream().map((message) -> take(left, message, same, stored)).toList();
	}

	private static Known take(List<Known> left, Message message, boolean same, Map<String, Message> contents) {
		for (int index = 0; index < left.size(); index++) {
			Known known = left.get(index);
			if (same ? known.message().get() == message : message.equals(contents.get(known.id()))) {
				left.remove(index);
				return new Known(known.id(), message);
			}
		}
		return new Known(UUID.randomUUID().toString(), message);
	}

	/** Writes the new messages. A message of the user begins a turn. */
	private static List<ObjectNode> events(Seen before, List<String> ids, List<Message> messages) {
		Set<String> old = new HashSet<>(before.ids());
		List<ObjectNode> events = new ArrayList<>();
		String turn = null;
		for (int index = 0; index < messages.size(); index++) {
			String id = ids.get(index);
			turn = (turn == null || messages.get(index).getMessageType() == MessageType.USER) ? id : turn;
			if (!old.contains(id)) {
				events.add(MessageFormat.write(id, turn, messages.get(index)));
			}
		}
		return events;
	}

	/** Appends the events, after those of others, and returns the session. */
	private Read append(Seen before, List<String> ids, List<ObjectNode> events) {
		Read now = before.read();
		while (true) {
			try {
				String tag = (now.tag() != null) ? now.tag()
						: this.sessions.create(before.key(), ConversationSessions.JSON.createObjectNode());
				List<String> window = window(now.window(), before.ids(), ids);
				String next = this.sessions.append(before.key(), Objects.requireNonNull(tag), marked(events, window));
				return new Read(next, window, List.of());
			}
			catch (AgentSessionsRequestException ex) {
				if (!Set.of("STALE_SESSION", "ALREADY_EXISTS", "SESSION_NOT_FOUND").contains(ex.code())) {
					throw ex;
				}
				now = this.sessions.read(before.key(), false);
			}
		}
	}

	/** Returns the window with what others have added since this thread has read it. */
	private static List<String> window(List<String> now, List<String> before, List<String> after) {
		if (now.equals(before)) {
			return after;
		}
		Set<String> window = new LinkedHashSet<>(now);
		before.stream().filter((id) -> !after.contains(id)).forEach(window::remove);
		after.stream().filter((id) -> !before.contains(id)).forEach(window::add);
		return List.copyOf(window);
	}

	/**
	 * The last event has the window; without a new message, it is an event of its own.
	 */
	private static List<ObjectNode> marked(List<ObjectNode> events, List<String> window) {
		if (events.isEmpty()) {
			String id = UUID.randomUUID().toString();
			ObjectNode event = ConversationSessions.JSON.createObjectNode().put("id", id).put("invocationId", id);
			return List.of(MessageFormat.mark(event.put("author", "system"), window));
		}
		MessageFormat.mark(events.get(events.size() - 1), window);
		return events;
	}

}
