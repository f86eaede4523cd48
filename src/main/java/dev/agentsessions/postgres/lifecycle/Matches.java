package dev.agentsessions.postgres.lifecycle;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.lifecycle.FoundSessions;
import dev.agentsessions.session.lifecycle.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/**
 * The sessions of a page that have an event that meets a condition.
 *
 * @param found the sessions, in the order of the list
 * @param next the position after which the next page begins; {@code null} on the last
 * page
 */
record Matches(List<ExaminedSession> found, @Nullable Position next) {

	/**
	 * Returns the page with the sessions that fit on it, the first ones of all.
	 */
	FoundSessions first(List<Session> sessions) {
		List<Found> items = IntStream.range(0, sessions.size())
			.mapToObj((index) -> new Found(sessions.get(index), Objects.requireNonNull(this.found.get(index).found())))
			.toList();
		boolean all = sessions.size() == this.found.size();
		return new FoundSessions(items, all ? this.next : this.found.get(sessions.size()).position());
	}

}
