package dev.agentsessions.session.report;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;

/**
 * Which events to count.
 *
 * @param owner the user, or the app for all users
 * @param session the session; {@code null} for all sessions of the owner
 * @param by what the rows stand for
 * @param from only events at this time or later; {@code null} for no limit
 * @param until only events before this time; {@code null} for no limit
 * @param after up to where an earlier request has counted; {@code null} for the first one
 * @param timed whether to measure how long models and tools took as well
 */
public record UsageQuery(StateOwner owner, @Nullable SessionKey session, Grouping by, @Nullable Instant from,
		@Nullable Instant until, @Page.Only @Nullable UsagePosition after, @Page.Only boolean timed) {

	public UsageQuery {
		from = Timestamps.toMicroseconds(from);
		until = Timestamps.toMicroseconds(until);
		if (from != null && until != null && until.isBefore(from)) {
			throw new SessionException.InvalidArgument("until", "must not be before from");
		}
	}

	/** Returns the query for the turns of a session. */
	public static UsageQuery ofSession(SessionKey key) {
		return new UsageQuery(key.user(), key, Grouping.TURN, null, null, null, false);
	}

	/** Returns this query for what follows a position. */
	public UsageQuery after(UsagePosition position) {
		return new UsageQuery(this.owner, this.session, this.by, this.from, this.until, position, this.timed);
	}

	/** Returns this query with the times of models and tools. */
	public UsageQuery withTimes() {
		return new UsageQuery(this.owner, this.session, this.by, this.from, this.until, this.after, true);
	}

}
