package dev.agentsessions.session;

import java.util.UUID;

/**
 * One version of one session. No two sessions have a version in common, whatever their
 * keys and however they were created.
 *
 * @param revision the number of events that the session got
 * @param birth the identity of the session: created when the session is created, forked
 * or imported, and never used again. In the database, it is the {@code session_key} of
 * all rows of the session
 * @param detailsRevision the number of changes of its details
 */
public record SessionVersion(long revision, UUID birth, int detailsRevision) {

	/** Returns the version of the same session right after an event. */
	public SessionVersion at(long seq) {
		return new SessionVersion(seq, this.birth, this.detailsRevision);
	}

}
