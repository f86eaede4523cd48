package dev.agentsessions.session;

import java.time.Instant;

import dev.agentsessions.state.JsonText;

/**
 * The answer to an append.
 *
 * @param event the event as stored, or as sent if it was not stored
 * @param revision the revision right after the event
 * @param lastUpdateTime the last update time right after the event
 * @param persisted whether it is stored
 * @param replayed whether it was stored by an earlier append
 */
public record Appended(JsonText event, long revision, Instant lastUpdateTime, boolean persisted, boolean replayed) {

	static Appended stored(Event event) {
		return new Appended(event.body(), event.seq(), event.commitTime(), true, false);
	}

	static Appended replayed(Event event) {
		return new Appended(event.body(), event.seq(), event.commitTime(), true, true);
	}

	static Appended notStored(JsonText event, Session session) {
		return new Appended(event, session.revision(), session.lastUpdateTime(), false, false);
	}

}
