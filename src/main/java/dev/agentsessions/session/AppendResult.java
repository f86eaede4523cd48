package dev.agentsessions.session;

import java.time.Instant;

import dev.agentsessions.json.JsonText;

/**
 * The answer to an append.
 *
 * @param event the event as stored, or as sent if it was not stored
 * @param revision the revision right after the event
 * @param lastUpdateTime the last update time right after the event
 * @param persisted whether it is stored
 * @param replayed whether it was stored by an earlier append
 */
public record AppendResult(JsonText event, long revision, Instant lastUpdateTime, boolean persisted, boolean replayed) {

	static AppendResult stored(Event event) {
		return new AppendResult(event.body(), event.seq(), event.commitTime(), true, false);
	}

	static AppendResult replayed(Event event) {
		return new AppendResult(event.body(), event.seq(), event.commitTime(), true, true);
	}

	static AppendResult notStored(JsonText event, Session session) {
		return new AppendResult(event, session.revision(), session.lastUpdateTime(), false, false);
	}

}
