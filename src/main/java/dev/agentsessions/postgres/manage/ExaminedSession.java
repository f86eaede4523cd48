package dev.agentsessions.postgres.manage;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.manage.SessionQuery.Position;

/** How far the events of a session have been examined, from its newest one on. */
final class ExaminedSession {

	private final Candidate candidate;

	private long upToSeq;

	private @Nullable Long found;

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
	 * Returns the newest event that meets the condition; {@code null} if none is known.
	 */
	@Nullable Long found() {
		return this.found;
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
		this.found = null;
		this.done = true;
	}

	/**
	 * Notes what a statement has examined.
	 * @param cut whether events of this session remain
	 */
	void note(ExamineEventsStatement.Row row, boolean cut) {
		this.found = row.found();
		this.done = true;
		if (this.found == null && cut) {
			continueBelow(row.lowest());
		}
	}

	/** Notes that no event from a seq on meets the condition. */
	void continueBelow(long seq) {
		this.found = null;
		this.upToSeq = seq - 1;
		this.done = this.upToSeq < 1;
	}

	/** Returns the position of a page that begins with this session. */
	Position position() {
		return this.candidate.upTo(this.upToSeq);
	}

}
