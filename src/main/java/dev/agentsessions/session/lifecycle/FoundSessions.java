package dev.agentsessions.session.lifecycle;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/**
 * A page of sessions that have an event that meets a condition.
 *
 * @param items the sessions
 * @param next the position after which the next page begins; {@code null} on the last
 * page
 */
public record FoundSessions(List<Found> items, @Nullable Position next) {

	FoundSessions seen(Secrets secrets) {
		return new FoundSessions(
				this.items.stream().map((found) -> new Found(secrets.of(found.session()), found.seq())).toList(),
				this.next);
	}

	/**
	 * A session, and its newest event that meets the condition.
	 *
	 * @param session the session
	 * @param seq the seq of the event
	 */
	public record Found(Session session, long seq) {

	}

}
