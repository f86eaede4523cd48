package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventQuery;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.state.JsonText;

/** Reads sessions, within a transaction of the caller. */
@Component
class SessionReader {

	private final SessionRepository sessions;

	private final SessionList sessionList;

	private final EventRepository events;

	private final StateReader state;

	SessionReader(SessionRepository sessions, SessionList sessionList, EventRepository events, StateReader state) {
		this.sessions = sessions;
		this.sessionList = sessionList;
		this.events = events;
		this.state = state;
	}

	Optional<Session> find(SessionKey key, EventWindow window) {
		return live(key).map((session) -> session.toSession(this.state.read(List.of(key)).merged(key),
				newest(ScopeKey.of(key), window)));
	}

	Page<Session> list(SessionQuery query) {
		Page<SessionEntity> found = Page.of(this.sessionList.find(query), query.limit());
		if (!query.withState()) {
			return found.map((session) -> session.toSession(Map.of(), List.of()));
		}
		StateReader.Found state = this.state.read(found.map(SessionEntity::key).items());
		return found.map((session) -> session.toSession(state.merged(session.key()), List.of()));
	}

	Optional<Page<Event>> events(SessionKey key, EventQuery query) {
		return live(key).map((session) -> {
			List<EventEntity> found = this.events.find(ScopeKey.of(key), query, query.limit() + 1L);
			return Page.of(found, query.limit()).map(EventEntity::toEvent);
		});
	}

	Optional<Event> event(SessionKey key, String eventId) {
		return live(key).flatMap((session) -> this.events.find(ScopeKey.of(key), eventId)).map(EventEntity::toEvent);
	}

	Map<String, JsonText> state(StateOwner owner) {
		return this.state.read(owner);
	}

	List<String> appNames() {
		return this.sessions.appNames();
	}

	private Optional<SessionEntity> live(SessionKey key) {
		return this.sessions.find(ScopeKey.of(key), Instant.now());
	}

	private List<Event> newest(UUID sessionKey, EventWindow window) {
		if (window.isEmpty()) {
			return List.of();
		}
		EventQuery query = EventQuery.newest(window);
		List<EventEntity> newestFirst = this.events.find(sessionKey, query, query.limit());
		Collections.reverse(newestFirst);
		return newestFirst.stream().map(EventEntity::toEvent).toList();
	}

}
