package dev.agentsessions.session.manage;

import java.time.Instant;

/**
 * A user of an app, in a list. Sessions that have expired do not count.
 *
 * @param userId the user
 * @param lastUpdateTime when their newest session was last updated
 * @param sessions how many sessions they have, at least 1, {@link #MOST_COUNTED} if there
 * are more
 * @param moreSessions whether there are more sessions than that
 */
public record UserSummary(String userId, Instant lastUpdateTime, int sessions, boolean moreSessions) {

	/** So many sessions of a user are counted, so that none costs a page much more. */
	public static final int MOST_COUNTED = 1000;

	/**
	 * A user whose sessions were counted.
	 * @param counted how many there are; any larger number than {@link #MOST_COUNTED}
	 * says that there are more
	 */
	public static UserSummary of(String userId, Instant lastUpdateTime, int counted) {
		return new UserSummary(userId, lastUpdateTime, Math.min(counted, MOST_COUNTED), counted > MOST_COUNTED);
	}

}
