package dev.agentsessions.postgres;

import java.time.Instant;

import dev.agentsessions.session.EventMarks;

/**
 * A stored event that means something beside the state that it changes.
 *
 * @param seq its place
 * @param commitTime when it was stored
 * @param id its id
 * @param marks what it means
 */
record MarkedEvent(long seq, Instant commitTime, String id, EventMarks marks) {

	static MarkedEvent of(PlacedEvent placed) {
		return new MarkedEvent(placed.seq(), placed.commitTime(), placed.event().id(), placed.event().marks());
	}

}
