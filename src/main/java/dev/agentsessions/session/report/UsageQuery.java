package dev.agentsessions.session.report;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
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
public record UsageQuery(StateOwner owner, @Nullable SessionName session, Grouping by, @Nullable Instant from,
		@Nullable Instant until, @Page.Only @Nullable UsagePosition after, @Page.Only boolean timed) {

	public UsageQuery {
		from = Timestamps.toMicroseconds(from);
		until = Timestamps.toMicroseconds(until);
		InvalidArgument.check(from == null || until == null || !until.isBefore(from), "until",
				"must not be before from");
	}

	/** Returns the query for the turns of a session. */
	public static UsageQuery ofSession(SessionName name) {
		return new UsageQuery(name.user(), name, Grouping.TURN, null, null, null, false);
	}

	/** Returns this query for what follows a position. */
	public UsageQuery after(UsagePosition position) {
		return new UsageQuery(this.owner, this.session, this.by, this.from, this.until, position, this.timed);
	}

	/** Returns this query with the times of models and tools. */
	public UsageQuery withTimes() {
		return new UsageQuery(this.owner, this.session, this.by, this.from, this.until, this.after, true);
	}

	/** What the rows of a {@link UsageReport} stand for. */
	public enum Grouping {

		/** Invocations of one session. */
		TURN,

		/** Days of UTC, of the times at which events were stored. */
		DAY,

		/** Users of an app. */
		USER,

		/** Models. */
		MODEL;

		/** Returns the name in requests. */
		public String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Up to where events are counted. Sessions are read in the order of their ids.
	 *
	 * @param sessionId the id of the session
	 * @param sessionKey the key of the session
	 * @param seq the seq of the last event that is counted
	 */
	public record UsagePosition(String sessionId, UUID sessionKey, long seq) {

		/** Returns the position that {@link #texts} describes. */
		public static UsagePosition of(List<String> texts) {
			return new UsagePosition(texts.get(0), UUID.fromString(texts.get(1)), Long.parseLong(texts.get(2)));
		}

		public String[] texts() {
			return new String[] { this.sessionId, this.sessionKey.toString(), Long.toString(this.seq) };
		}

	}

}
