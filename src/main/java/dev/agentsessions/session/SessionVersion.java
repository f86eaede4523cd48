package dev.agentsessions.session;

import java.time.Instant;

/**
 * Which of all that a session ever was. No two sessions of the same names share one, as
 * each is created later than the one before was deleted.
 *
 * @param revision how many events it got
 * @param createTime when it was created, in microseconds
 * @param detailsRevision how often its details were changed
 */
public record SessionVersion(long revision, Instant createTime, int detailsRevision) {

	/** The version of the same session right after an event. */
	public SessionVersion at(long seq) {
		return new SessionVersion(seq, this.createTime, this.detailsRevision);
	}

}
