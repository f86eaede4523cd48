package dev.agentsessions.session;

import java.time.Instant;

import dev.agentsessions.json.JsonText;

/**
 * The answer to an append.
 *
 * @param event the event as stored, or as sent if it was not stored
 * @param version the version of the session right after the event
 * @param lastUpdateTime the last update time right after the event
 * @param persisted whether it is stored
 * @param replayed whether it was stored by an earlier append
 */
public record AppendResult(JsonText event, SessionVersion version, Instant lastUpdateTime, boolean persisted,
		boolean replayed) {

	static AppendResult stored(AppendOutcome.Stored stored) {
		return new AppendResult(stored.event().body(), stored.version(), stored.event().commitTime(), true, false);
	}

	static AppendResult replayed(AppendOutcome.Replayed replayed) {
		return new AppendResult(replayed.event().body(), replayed.version(), replayed.event().commitTime(), true, true);
	}

	static AppendResult notStored(JsonText event, Session session) {
		return new AppendResult(event, session.version(), session.lastUpdateTime(), false, false);
	}

}
