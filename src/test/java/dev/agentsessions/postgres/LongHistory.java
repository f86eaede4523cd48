package dev.agentsessions.postgres;

import dev.agentsessions.session.Events;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StoreUnderTest;

/** Three events, of which each is a piece of its own when they are read. */
final class LongHistory {

	private static final String EVENT = "{\"filler\":\"%s\"}".formatted("x".repeat(EventsStatement.PIECE));

	private LongHistory() {
	}

	/** Appends them to a session. */
	static void append(StoreUnderTest test, SessionKey key) {
		for (int number = 0; number < 3; number++) {
			test.store(key, Events.event(EVENT));
		}
	}

}
