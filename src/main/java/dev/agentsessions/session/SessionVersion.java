package dev.agentsessions.session;

import java.util.UUID;

/**
 * Which of all that a session ever was. No two sessions share one, whatever they are
 * called and however they came to be.
 *
 * @param revision how many events it got
 * @param birth which session it is: made when the session is created, forked or imported,
 * and never again
 * @param detailsRevision how often its details were changed
 */
public record SessionVersion(long revision, UUID birth, int detailsRevision) {

	/** The version of the same session right after an event. */
	public SessionVersion at(long seq) {
		return new SessionVersion(seq, this.birth, this.detailsRevision);
	}

}
