package dev.agentsessions.postgres.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;

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

}
