package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

import jakarta.persistence.Tuple;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/** How far the events of a session have been examined, from its newest one on. */
final class ExaminedSession {

	private final Candidate candidate;

	private long upToSeq;

	/** Events that may meet the condition, the newest first. */
	private final Deque<Long> found = new ArrayDeque<>();

	/** The oldest event examined. */
	private long lowest;

	private boolean cut;

	private boolean done;

	ExaminedSession(Candidate candidate, long upToSeq) {
		this.candidate = candidate;
		this.upToSeq = upToSeq;
	}

	Candidate candidate() {
		return this.candidate;
	}

	/** Returns the newest event that has not been examined. */
	long upToSeq() {
		return this.upToSeq;
	}

	/**
	 * Returns the newest event that may meet the condition; {@code null} if none is
	 * known.
	 */
	@Nullable Long found() {
		return this.found.peek();
	}

	/** Returns whether only its newest events have been examined. */
	boolean isBegun() {
		return this.upToSeq < this.candidate.revision();
	}

	/** Returns whether nothing remains to be examined. */
	boolean isDone() {
		return this.done;
	}

	/** Notes that no event remains, and none meets the condition. */
	void end() {
		this.found.clear();
		this.done = true;
	}

	/**
	 * Notes the events that a statement has examined.
	 * @param rest whether events of this session remain
	 */
	void note(ExamineEventsStatement.Row row, boolean rest) {
		this.found.addAll(row.found());
		this.lowest = row.lowest();
		this.cut = rest;
		this.done = true;
		continueIfNoneIsLeft();
	}

	/** Notes that the newest event that was found does not meet the condition. */
	void refuse() {
		this.upToSeq = this.found.remove() - 1;
		continueIfNoneIsLeft();
	}

	private void continueIfNoneIsLeft() {
		if (this.found.isEmpty() && this.cut) {
			this.upToSeq = this.lowest - 1;
			this.done = this.upToSeq < 1;
		}
	}

	/** Returns the position of a page that begins with this session. */
	Position position() {
		return this.candidate.upTo(this.upToSeq);
	}

	/**
	 * A session of a list whose events may be examined.
	 *
	 * @param sessionKey its key
	 * @param position its position in the list
	 * @param revision its newest event
	 */
	record Candidate(UUID sessionKey, Position position, long revision) {

		/** The beginning of a statement that reads candidates. */
		static final String COLUMNS = "select session_key, revision, user_id, last_update_time, id";

		static NativeQuery<Tuple> typed(NativeQuery<Tuple> select) {
			return select.addScalar("session_key", UUID.class)
				.addScalar("revision", Long.class)
				.addScalar("user_id", String.class)
				.addScalar("last_update_time", Instant.class)
				.addScalar("id", String.class);
		}

		static Candidate of(Tuple row) {
			return new Candidate(
					row.get("session_key", UUID.class), new Position(row.get("user_id", String.class),
							row.get("last_update_time", Instant.class), row.get("id", String.class)),
					row.get("revision", Long.class));
		}

		/**
		 * Returns whether a page began within this session, and ended there before it was
		 * done.
		 */
		boolean isAt(Position other) {
			return this.position.equals(new Position(other.userId(), other.time(), other.sessionId()));
		}

		/** Returns the position of this session when the events up to a seq remain. */
		Position upTo(long seq) {
			return new Position(this.position.userId(), this.position.time(), this.position.sessionId(), seq);
		}

	}

}
