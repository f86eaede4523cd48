package dev.agentsessions.postgres.lifecycle;

import dev.agentsessions.postgres.session.ListEventsStatement;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.StoreUnderTest;

/** Three events, of which each is a piece of its own when they are read. */
public final class LongHistory {

	private static final String EVENT = "{\"filler\":\"%s\"}"
		.formatted("x".repeat(ListEventsStatement.MAX_CHUNK_CHARS));

	private LongHistory() {
	}

	/** Appends them to a session. */
	public static void append(StoreUnderTest test, SessionName name) {
		for (int number = 0; number < 3; number++) {
			test.store(name, Events.event(EVENT));
		}
	}

}
