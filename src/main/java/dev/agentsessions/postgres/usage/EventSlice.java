package dev.agentsessions.postgres.usage;

import dev.agentsessions.session.usage.UsagePosition;

/**
 * Events of a session that follow each other.
 *
 * @param session the session
 * @param after the seq of the event before the first one
 * @param until the seq of the last one
 */
record EventSlice(SpendingSession session, long after, long until) {

	long events() {
		return Math.max(0, this.until - this.after);
	}

	/** Returns the first events of the slice. */
	EventSlice first(long events) {
		return new EventSlice(this.session, this.after, Math.min(this.until, this.after + events));
	}

	/** Returns the slice without the events up to a seq. */
	EventSlice from(long seq) {
		return new EventSlice(this.session, seq, this.until);
	}

	/** Returns the position before the first event. */
	UsagePosition begin() {
		return new UsagePosition(this.session.id(), this.session.key(), this.after);
	}

}
