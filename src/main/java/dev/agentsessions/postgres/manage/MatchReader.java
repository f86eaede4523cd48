package dev.agentsessions.postgres.manage;

import java.util.List;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.manage.SessionQuery;

/**
 * Finds sessions that have an event that meets a condition. It examines the sessions in
 * the order of the list, each from its newest event on, until the page is full or the
 * work of a page is done. The next page goes on where this one ended, within a session if
 * that has many events.
 */
@Component
class MatchReader {

	/** The work of a page, as {@link ExamineEventsStatement} counts it. */
	static final int MAX_UNITS = 50_000;

	/** A page examines at most this number of sessions. */
	static final int MAX_SESSIONS = 20_000;

	/** Where each session needs a statement of its own, a page executes this number. */
	private static final int MAX_STATEMENTS = 1000;

	/** Most pages end within the first sessions. */
	private static final int FIRST_SESSIONS = 1000;

	private final ListSessionsStatement sessions;

	private final ExamineEventsStatement events;

	private final Placement placement;

	MatchReader(ListSessionsStatement sessions, ExamineEventsStatement events, Placement placement) {
		this.sessions = sessions;
		this.events = events;
		this.placement = placement;
	}

	/**
	 * Finds the sessions of a page, within a transaction.
	 * @param bounded whether to read no large body
	 * @throws SessionPageReader.TooLargeException if a large body has to be read
	 */
	Matches find(SessionQuery query, EventCondition condition, boolean bounded) {
		MatchSearch search = new MatchSearch(this.events, query, condition, this.placement, bounded);
		int left = Math.min(MAX_SESSIONS, MAX_STATEMENTS * this.placement.together(MAX_SESSIONS));
		int limit = FIRST_SESSIONS;
		SessionQuery next = query;
		while (true) {
			List<Candidate> candidates = this.sessions.candidates(next.limit(limit), condition);
			search.examine(candidates);
			left -= candidates.size();
			if (search.isOver() || candidates.size() < limit) {
				return search.matches(false);
			}
			if (left <= 0) {
				return search.matches(true);
			}
			next = query.after(candidates.get(candidates.size() - 1).position());
			limit = left;
		}
	}

}
