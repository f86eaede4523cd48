package dev.agentsessions.postgres.report;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.report.UsageQuery.UsagePosition;

/**
 * Events of a session that follow each other.
 *
 * @param key the key of the session
 * @param userId its user
 * @param sessionId its id
 * @param copied the seq of the last event that a fork has copied; 0 for none
 * @param after the seq of the event before the first one
 * @param until the seq of the last one
 */
record EventSlice(UUID key, String userId, String sessionId, long copied, long after, long until) {

	long events() {
		return Math.max(0, this.until - this.after);
	}

	/** Returns the first events of the slice. */
	EventSlice first(long events) {
		return between(this.after, Math.min(this.until, this.after + events));
	}

	/** Returns the slice without the events up to a seq. */
	EventSlice after(long seq) {
		return between(Math.max(this.after, seq), this.until);
	}

	/** Returns the slice after a position, which may be in another session. */
	EventSlice after(@Nullable UsagePosition position) {
		return (position != null && position.sessionKey().equals(this.key)) ? after(position.seq()) : this;
	}

	EventSlice between(long after, long until) {
		return new EventSlice(this.key, this.userId, this.sessionId, this.copied, after, until);
	}

	/** Returns the position before the first event. */
	UsagePosition begin() {
		return new UsagePosition(this.sessionId, this.key, this.after);
	}

	/** Returns the position of the last event. */
	UsagePosition end() {
		return new UsagePosition(this.sessionId, this.key, this.until);
	}

}
