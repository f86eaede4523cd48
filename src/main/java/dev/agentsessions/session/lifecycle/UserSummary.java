package dev.agentsessions.session.lifecycle;

import java.time.Instant;

/**
 * A user of an app, in a list. Expired sessions do not count.
 *
 * @param userId the user
 * @param lastUpdateTime when the user's newest session was last updated
 * @param sessions the number of sessions, at least 1, {@link #MAX_COUNTED_SESSIONS} if
 * there are more
 * @param moreSessions whether there are more sessions than that
 */
public record UserSummary(String userId, Instant lastUpdateTime, int sessions, boolean moreSessions) {

	/**
	 * Maximum number of sessions of a user that are counted, which limits the cost of a
	 * page.
	 */
	public static final int MAX_COUNTED_SESSIONS = 1000;

	/**
	 * Creates a summary from a count.
	 * @param counted the number of sessions; any number above
	 * {@link #MAX_COUNTED_SESSIONS} says that there are more
	 */
	public static UserSummary of(String userId, Instant lastUpdateTime, int counted) {
		return new UserSummary(userId, lastUpdateTime, Math.min(counted, MAX_COUNTED_SESSIONS),
				counted > MAX_COUNTED_SESSIONS);
	}

}
