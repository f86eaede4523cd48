package dev.agentsessions.postgres.memory;

import java.util.List;

/**
 * Sessions of a user, selected from those that a filter includes.
 *
 * @param sessions the selected sessions, the newest first
 * @param turns the number of turns that all sessions of the filter have
 * @param missing the number of events of all sessions of the filter that are not indexed
 * yet
 * @param events the number of events of all sessions of the filter
 */
record SelectedSessions(List<IndexedSession> sessions, long turns, long missing, long events) {

	/** No sessions. */
	static final SelectedSessions NONE = new SelectedSessions(List.of(), 0, 0, 0);

	/**
	 * Returns how many events of all sessions are missing when the selected ones have
	 * changed.
	 */
	long missing(List<IndexedSession> changed) {
		return this.missing - sum(this.sessions) + sum(changed);
	}

	private static long sum(List<IndexedSession> sessions) {
		return sessions.stream().mapToLong(IndexedSession::missing).sum();
	}

}
