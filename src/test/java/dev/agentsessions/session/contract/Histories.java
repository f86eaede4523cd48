package dev.agentsessions.session.contract;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.SessionServiceTests;

/** The service of the past for tests, to which everybody may do everything. */
public final class Histories {

	private static final SessionProperties PROPERTIES = new SessionProperties(false);

	private Histories() {
	}

	/** The service above a store. */
	public static HistoryService of(Stores store, HistoryService.Store past) {
		AccessPolicy access = new OpenAccessPolicy("anybody");
		EventService events = new EventService(store.appends(), store.reads(), PROPERTIES, access,
				SessionServiceTests.LIMITS, (name) -> {
				}, new ResponseHeap());
		return new HistoryService(store.reads(), past, store.creations(), events, PROPERTIES, access,
				SessionServiceTests.LIMITS);
	}

}
