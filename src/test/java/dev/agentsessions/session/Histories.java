package dev.agentsessions.session;

/** The service of the past for tests, to which everybody may do everything. */
public final class Histories {

	private static final SessionProperties PROPERTIES = new SessionProperties(false);

	private Histories() {
	}

	/** The service above a store. */
	public static HistoryService of(SessionStore store, HistoryStore past) {
		Everybody access = new Everybody();
		EventService events = new EventService(store, PROPERTIES, access, SessionServiceTests.LIMITS, (key) -> {
		}, new AnswerMemory());
		return new HistoryService(store, past, events, PROPERTIES, access, SessionServiceTests.LIMITS);
	}

}
