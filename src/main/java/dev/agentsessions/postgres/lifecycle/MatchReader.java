package dev.agentsessions.postgres.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.lifecycle.ExamineEventsStatement.Row;
import dev.agentsessions.postgres.lifecycle.ExaminedSession.Candidate;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

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

	/** The search for the sessions of one page, and the work that is left for it. */
	private static final class MatchSearch {

		/** Errors are read by an index that has few other entries. */
		private static final int MAX_SESSIONS_WITH_INDEX = 1000;

		/** A statement examines at most this number of sessions. */
		private static final int MAX_SESSIONS = 100;

		/** A statement examines this number of events of each session at least. */
		private static final int MIN_EVENTS = 50;

		/** A statement examines about this number of events at most. */
		private static final int MAX_EVENTS = 5000;

		/** A statement costs this work at least. */
		private static final int STATEMENT_UNITS = 100;

		/** Reading the body of an event costs this work, and that of its length. */
		private static final int BODY_UNITS = 25;

		private static final int CHARS_OF_UNIT = 500;

		private static final long MAX_LIGHT_BODY_BYTES = 1 << 20;

		private final ExamineEventsStatement events;

		private final SessionQuery query;

		private final EventCondition condition;

		private final Placement placement;

		private final boolean bounded;

		private final List<ExaminedSession> found = new ArrayList<>();

		private long unitsLeft = MatchReader.MAX_UNITS;

		/** Where the search has got to; {@code null} before the first session. */
		private @Nullable Position reached;

		/** Whether the page ended before a session that was not done. */
		private boolean stopped;

		MatchSearch(ExamineEventsStatement events, SessionQuery query, EventCondition condition, Placement placement,
				boolean bounded) {
			this.events = events;
			this.query = query;
			this.condition = condition;
			this.placement = placement;
			this.bounded = bounded;
		}

		/** Examines the next sessions of the list, in their order. */
		void examine(List<Candidate> candidates) {
			List<ExaminedSession> sessions = candidates.stream()
				.map((candidate) -> new ExaminedSession(candidate, begin(candidate)))
				.toList();
			int begin = 0;
			while (begin < sessions.size() && !isOver()) {
				if (this.unitsLeft <= 0 || this.found.size() >= this.query.limit()) {
					this.stopped = true;
					this.reached = sessions.get(begin).position();
					return;
				}
				examineSome(sessions.subList(begin, sessions.size()));
				begin += take(sessions.subList(begin, sessions.size()));
			}
		}

		/**
		 * Returns the newest event to examine; the page before may have begun the
		 * session.
		 */
		private long begin(Candidate candidate) {
			Position after = this.query.after();
			Long upToSeq = (after != null && candidate.isAt(after)) ? after.upToSeq() : null;
			return (upToSeq != null) ? upToSeq : candidate.revision();
		}

		/** Returns whether the page has ended. */
		boolean isOver() {
			return this.stopped;
		}

		/**
		 * Returns the sessions that were found.
		 * @param more whether sessions follow that were not examined
		 */
		Matches matches(boolean more) {
			return new Matches(this.found, (more || this.stopped) ? this.reached : null);
		}

		/**
		 * Takes the sessions at the beginning that are done, and returns their number.
		 */
		private int take(List<ExaminedSession> sessions) {
			int taken = 0;
			while (taken < sessions.size() && this.found.size() < this.query.limit() && isDone(sessions.get(taken))) {
				ExaminedSession session = sessions.get(taken++);
				this.reached = session.candidate().position();
				if (session.found() != null) {
					this.found.add(session);
				}
			}
			return taken;
		}

		/**
		 * Returns whether a session is done. It is not if its work exceeds the remaining
		 * work.
		 */
		private boolean isDone(ExaminedSession session) {
			while (session.isDone() && session.found() != null && !meetsTool(session, session.found())) {
				session.refuse();
				if (this.unitsLeft <= 0) {
					return session.isDone() && session.found() == null;
				}
			}
			return session.isDone();
		}

		/** Only the body tells whether an event with the name of a tool calls it. */
		private boolean meetsTool(ExaminedSession session, long seq) {
			if (this.condition.tool() == null) {
				return true;
			}
			Optional<JsonText> body = this.events.body(session.candidate().sessionKey(), seq,
					this.bounded ? MAX_LIGHT_BODY_BYTES : Long.MAX_VALUE);
			if (body.isEmpty() && this.bounded) {
				throw new SessionPageReader.TooLargeException();
			}
			this.unitsLeft -= BODY_UNITS + body.map((json) -> json.length() / CHARS_OF_UNIT).orElse(0);
			return body.isPresent() && this.condition.meetsTool(body.get());
		}

		private void examineSome(List<ExaminedSession> sessions) {
			List<ExaminedSession> some = sessions.stream()
				.filter((session) -> !session.isDone())
				.limit(sessionsAtOnce(sessions.get(0)))
				.toList();
			int limit = Math.max(MIN_EVENTS, MAX_EVENTS / some.size());
			List<Row> rows = this.events.execute(some, this.condition, limit, this.unitsLeft);
			long units = rows.stream().mapToLong(Row::units).sum();
			boolean cut = units >= this.unitsLeft;
			int examined = cut ? rows.get(rows.size() - 1).number() : some.size();
			some.subList(0, examined).forEach(ExaminedSession::end);
			rows.forEach((row) -> some.get(row.number() - 1)
				.note(row, row.events() >= limit || cut && row.number() == examined));
			this.unitsLeft -= units + examined + STATEMENT_UNITS;
		}

		/** A session that was begun has many events, so it is examined alone. */
		private int sessionsAtOnce(ExaminedSession first) {
			int max = this.condition.error() ? MAX_SESSIONS_WITH_INDEX : MAX_SESSIONS;
			return first.isBegun() ? 1 : this.placement.together(max);
		}

	}

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
				.mapToObj((index) -> new Found(sessions.get(index),
						Objects.requireNonNull(this.found.get(index).found())))
				.toList();
			boolean all = sessions.size() == this.found.size();
			return new FoundSessions(items, all ? this.next : this.found.get(sessions.size()).position());
		}

	}

}
