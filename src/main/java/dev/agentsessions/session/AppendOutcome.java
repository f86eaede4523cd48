package dev.agentsessions.session;

import java.time.Instant;
import java.util.List;

/** How an append ended in the store. */
public sealed interface AppendOutcome {

	/**
	 * The event is durably stored.
	 *
	 * @param event the event as stored
	 * @param version the version of the session right after it
	 */
	record Stored(Event event, SessionVersion version) implements AppendOutcome {
	}

	/**
	 * The very event was stored before; nothing changed.
	 *
	 * @param event the event as stored
	 * @param version the version of the session right after the event, but for later
	 * changes of its details
	 */
	record Replayed(Event event, SessionVersion version) implements AppendOutcome {
	}

	/**
	 * The events of a batch are durably stored.
	 *
	 * @param events the events as stored, in the order of the batch
	 * @param replayed whether all of them were stored before, so that nothing changed
	 * @param version the version of the session right after the last of them
	 */
	record BatchStored(List<Event> events, boolean replayed, SessionVersion version) implements AppendOutcome {
	}

	/**
	 * An event id is taken by an event with other content; nothing changed.
	 *
	 * @param eventId the id
	 */
	record EventIdConflict(String eventId) implements AppendOutcome {
	}

	/**
	 * The precondition does not hold; nothing changed.
	 *
	 * @param version the version that the session has
	 * @param lastUpdateTime the last update time the session has
	 * @param seenRevision the newest revision that the caller can have seen
	 */
	record Stale(SessionVersion version, Instant lastUpdateTime, long seenRevision) implements AppendOutcome {
	}

	/** There is no such session; nothing changed. */
	record NotFound() implements AppendOutcome {
	}

}
