// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.Session;

/** Creates sessions for the tests. */
final class Trip {

	/** New in each run, so that a run does not see data of an earlier one. */
	static final String APP = "java-life-" + UUID.randomUUID();

	private Trip() {
	}

	static Session create(AgentSessionService service, Map<String, Object> state) {
		return service.createSession(APP, "mira", new ConcurrentHashMap<>(state), null).blockingGet();
	}

	/**
	 * Creates a session with two events: the first sets city and days, the second days
	 * and train.
	 */
	static Session of(AgentSessionService service, Map<String, Object> state) {
		Session session = create(service, state);
		append(service, session, turn("t1", Map.of("city", "Rome", "days", 3)));
		append(service, session, turn("t2", Map.of("days", 5, "train", true)));
		return session;
	}

	static Event turn(String invocationId, Map<String, Object> delta) {
		return Event.builder()
			.id(Event.generateEventId())
			.author("planner")
			.invocationId(invocationId)
			.timestamp(1_900_000_001_500L)
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(delta)).build())
			.build();
	}

	static void append(AgentSessionService service, Session session, Event event) {
		service.appendEvent(session, event).blockingGet();
	}

	static Session read(AgentSessionService service, Session session) {
		return service.getSession(APP, "mira", session.id(), Optional.empty()).blockingGet();
	}

	static List<String> ids(Session session) {
		return session.events().stream().map(Event::id).toList();
	}

	static Map<String, Object> state(Session session) {
		return new HashMap<>(session.state());
	}

}
