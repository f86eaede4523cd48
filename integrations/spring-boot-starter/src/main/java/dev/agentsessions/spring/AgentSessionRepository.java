// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.agentsessions.spring.ConversationSessions.Key;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.session.EventFilter;
import org.springframework.ai.session.Session;
import org.springframework.ai.session.SessionEvent;
import org.springframework.ai.session.SessionRepository;
import org.springframework.util.Assert;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the sessions of Spring AI Session. A session is one of the same user here, and an
 * event is one here. The version of the events is the revision of the session.
 * <p>
 * Spring AI Session names sessions by their ids alone. The service finds them in the app,
 * or those of the current user if the application says who that is.
 */
public class AgentSessionRepository implements SessionRepository {

	/** The key of the state with what Spring AI Session knows of a session. */
	private static final String SESSION = "springAiSession";

	private final ConversationSessions sessions;

	private final String app;

	private final @Nullable AgentSessionsUser user;

	AgentSessionRepository(ConversationSessions sessions, String app, @Nullable AgentSessionsUser user) {
		this.sessions = sessions;
		this.app = app;
		this.user = user;
	}

	/** A session of the service. */
	private record Found(Key key, long revision, JsonNode state) {

		String id() {
			return Names.nameOf(this.key.sessionId());
		}

		Session session() {
			JsonNode details = this.state.path(SESSION);
			String expires = details.path("expiresAt").stringValue(null);
			return Session.builder()
				.id(id())
				.userId(this.key.user())
				.createdAt(Instant.parse(details.path("createdAt").asString()))
				.expiresAt((expires != null) ? Instant.parse(expires) : null)
				.metadata(MessageFormat.map(details.path("metadata")))
				.build();
		}

	}

	/** Creates a session, or changes its expiry and metadata. Its events stay. */
	@Override
	public Session save(Session session) {
		Key key = new Key(this.app, session.userId(), Names.sessionId(session.id()));
		@Nullable Found found = find(session.id());
		Assert.isTrue(found == null || found.key().equals(key),
				() -> "Session '" + session.id() + "' belongs to another user");
		ObjectNode state = ConversationSessions.JSON.createObjectNode();
		ObjectNode details = state.putObject(SESSION).put("createdAt", session.createdAt().toString());
		if (session.expiresAt() != null) {
			details.put("expiresAt", session.expiresAt().toString());
		}
		details.set("metadata", MessageFormat.json(session.metadata()));
		if (found != null || !create(key, state)) {
			this.sessions.change(key, state);
		}
		return session;
	}

	/** Returns false if the user has a session with this id already. */
	private boolean create(Key key, ObjectNode state) {
		try {
			this.sessions.create(key, state);
			return true;
		}
		catch (AgentSessionsRequestException ex) {
			if (ex.code().equals("ALREADY_EXISTS")) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public @Nullable Session findById(String sessionId) {
		Found found = find(sessionId);
		return (found != null) ? found.session() : null;
	}

	@Override
	public List<Session> findByUserId(String userId) {
		return list(userId, null).map(Found::session).toList();
	}

	/** Reads the list of all sessions. */
	@Override
	public List<String> findExpiredSessionIds(Instant before) {
		return list(owner(), null).map(Found::session)
			.filter((session) -> session.expiresAt() != null && session.expiresAt().isBefore(before))
			.map(Session::id)
			.toList();
	}

	/** Deletes the session with all its events. */
	@Override
	public void delete(String sessionId) {
		Found found = find(sessionId);
		if (found != null) {
			this.sessions.delete(found.key());
		}
	}

	/** Stores an event, unless the session has one with its id. */
	@Override
	public void appendEvent(SessionEvent event) {
		Found found = existing(event.getSessionId());
		String turn = found.state().path(SessionLog.TURN).asString("");
		try {
			this.sessions.append(found.key(), List.of(SessionLog.write(event, turn)));
		}
		catch (AgentSessionsRequestException ex) {
			if (!ex.code().equals("EVENT_ID_CONFLICT")) {
				throw ex;
			}
		}
	}

	/** Archives events, in one transaction with the events that are new. */
	@Override
	public boolean compactEvents(String sessionId, List<SessionEvent> archivedEvents, List<SessionEvent> retainedEvents,
			long expectedVersion) {
		Found found = existing(sessionId);
		List<String> active = ids(retainedEvents);
		Set<String> stored = this.sessions.events(found.key(), active)
			.stream()
			.map((event) -> event.path("id").asString())
			.collect(Collectors.toSet());
		List<ObjectNode> events = new ArrayList<>();
		for (int index = 0; index < active.size(); index++) {
			if (!stored.contains(active.get(index))) {
				String turn = events.isEmpty() ? "" : events.get(0).path("id").asString();
				events.add(SessionLog.write(retainedEvents.get(index), turn));
			}
		}
		SessionLog.compact(events, ids(archivedEvents), active, expectedVersion);
		try {
			this.sessions.append(found.key(), "\"" + expectedVersion + "\"", events);
			return true;
		}
		catch (AgentSessionsRequestException ex) {
			if (ex.code().equals("STALE_SESSION")) {
				return false;
			}
			throw ex;
		}
	}

	private static List<String> ids(List<SessionEvent> events) {
		return events.stream().map((event) -> Names.sessionId(event.getId())).toList();
	}

	/** Returns the revision of the session. */
	@Override
	public long getEventVersion(String sessionId) {
		Found found = find(sessionId);
		return (found != null) ? found.revision() : 0;
	}

	/**
	 * Reads the events. Without the archived ones, only those are read that are active.
	 */
	@Override
	public List<SessionEvent> findEvents(String sessionId, EventFilter filter) {
		Found found = find(sessionId);
		if (found == null) {
			return List.of();
		}
		JsonNode active = found.state().path(filter.excludeArchived() ? SessionLog.ACTIVE : "");
		SessionLog log = new SessionLog(sessionId);
		List<String> retained = active.path("events").values().stream().map(JsonNode::asString).toList();
		this.sessions.events(found.key(), retained).forEach(log::addMessage);
		this.sessions.events(found.key(), active.path("seq").asLong(0) + 1).forEach(log::add);
		return select(log.events().stream().filter(filter::matches).toList(), filter);
	}

	private static List<SessionEvent> select(List<SessionEvent> events, EventFilter filter) {
		int size = events.size();
		if (filter.lastN() != null) {
			return events.subList(Math.max(0, size - filter.lastN()), size);
		}
		if (filter.pageSize() != null && filter.page() != null) {
			long first = Math.min(size, (long) filter.page() * filter.pageSize());
			return events.subList((int) first, (int) Math.min(size, first + filter.pageSize()));
		}
		return events;
	}

	private Found existing(String sessionId) {
		Found found = find(sessionId);
		if (found == null) {
			throw new IllegalArgumentException("Session not found: " + sessionId);
		}
		return found;
	}

	private @Nullable Found find(String sessionId) {
		List<Found> found = list(owner(), Names.sessionId(sessionId)).toList();
		Assert.state(found.size() < 2, () -> "Several users have a session '" + sessionId
				+ "'. Define a bean AgentSessionsUser that says which one is meant");
		return found.isEmpty() ? null : found.get(0);
	}

	/** The user whose sessions are found, null for all users. */
	private @Nullable String owner() {
		return (this.user != null) ? this.user.current() : null;
	}

	/** Leaves out sessions of other frameworks. */
	private Stream<Found> list(@Nullable String user, @Nullable String sessionId) {
		return this.sessions.list(this.app, user, sessionId)
			.stream()
			.filter((session) -> session.path("state").has(SESSION))
			.map((session) -> new Found(
					new Key(this.app, session.path("userId").asString(), session.path("id").asString()),
					session.path("revision").asLong(), session.path("state")));
	}

}
