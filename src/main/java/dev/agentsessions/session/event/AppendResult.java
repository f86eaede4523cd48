package dev.agentsessions.session.event;

import java.time.Instant;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;

/**
 * The result of an append.
 *
 * @param event the event as stored, or as sent if it was not stored
 * @param version the version of the session right after the event
 * @param persisted whether it is stored
 * @param replayed whether an earlier append stored it
 */
public record AppendResult(JsonText event, SessionVersion version, boolean persisted, boolean replayed) {

	/**
	 * Returns the result for an event that has just been stored.
	 * @param version the version of the session right after it
	 */
	public static AppendResult stored(NewEvent event, SessionVersion version) {
		return new AppendResult(event.body(), version, true, false);
	}

	/**
	 * Returns the result for an event that an earlier append stored.
	 * @param session the current version of the session
	 */
	public static AppendResult replayed(Event stored, SessionVersion session) {
		return new AppendResult(stored.body(), session.at(stored.seq(), stored.commitTime()), true, true);
	}

	static AppendResult notStored(NewEvent event, Session session) {
		return new AppendResult(event.body(), session.version(), false, false);
	}

	/** Returns the last update time of the session right after the event. */
	public Instant lastUpdateTime() {
		return this.version.lastUpdateTime();
	}

}
