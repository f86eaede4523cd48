package dev.agentsessions.session.contract;

import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.SessionServiceTests;

/** The service of the past for tests, to which everybody may do everything. */
public final class Histories {

	private static final SessionProperties PROPERTIES = new SessionProperties(false);

	private Histories() {
	}

	/** The service above a store. */
	public static HistoryService of(Stores store, HistoryService.Store past) {
		EventService events = store.events(PROPERTIES, SessionServiceTests.LIMITS, SessionServiceTests.NO_LISTENER);
		return new HistoryService(store.reads(), past, store.creations(), events, PROPERTIES,
				new OpenAccessPolicy("anybody"), SessionServiceTests.LIMITS);
	}

}
