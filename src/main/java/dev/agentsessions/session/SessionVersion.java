package dev.agentsessions.session;

import java.time.Instant;
import java.util.UUID;

/**
 * One version of one session. No two sessions have a version in common, whatever their
 * keys and however they were created. Neither have two histories of one session: after a
 * restore, or a failover that has lost the newest event, the next event gets the same
 * revision but another time.
 *
 * @param revision the number of events that the session got
 * @param sessionKey the identity of the session: created when the session is created,
 * forked or imported, and never used again. In the database, it is the
 * {@code session_key} of all rows of the session
 * @param lastUpdateTime when its newest event was stored, strictly increasing, in
 * microseconds
 * @param detailsRevision identifies its details: 0 until they are changed for the first
 * time, then another random number after each change
 */
public record SessionVersion(long revision, UUID sessionKey, Instant lastUpdateTime, int detailsRevision) {

	/** Returns the version of the same session right after an event. */
	public SessionVersion at(long seq, Instant commitTime) {
		return new SessionVersion(seq, this.sessionKey, commitTime, this.detailsRevision);
	}

}
