package dev.agentsessions.session;

import java.time.Instant;
import java.util.List;

/** How an append ended in the store. */
public sealed interface AppendOutcome {

	/**
	 * The event is durably stored.
	 *
	 * @param event the event as stored
	 */
	record Stored(Event event) implements AppendOutcome {
	}

	/**
	 * The very event was stored before; nothing changed.
	 *
	 * @param event the event as stored
	 */
	record Replayed(Event event) implements AppendOutcome {
	}

	/**
	 * The events of a batch are durably stored.
	 *
	 * @param events the events as stored, in the order of the batch
	 * @param replayed whether all of them were stored before, so that nothing changed
	 */
	record BatchStored(List<Event> events, boolean replayed) implements AppendOutcome {
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
	 * @param revision the revision the session has
	 * @param lastUpdateTime the last update time the session has
	 * @param seenRevision the newest revision that the caller can have seen
	 */
	record Stale(long revision, Instant lastUpdateTime, long seenRevision) implements AppendOutcome {
	}

	/** There is no such session; nothing changed. */
	record NotFound() implements AppendOutcome {
	}

}
