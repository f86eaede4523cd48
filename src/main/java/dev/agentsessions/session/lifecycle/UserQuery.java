package dev.agentsessions.session.lifecycle;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/**
 * Which users of an app to list.
 *
 * @param app the app
 * @param after the user after which the page begins, whether or not this user still
 * exists; {@code null} for the first page
 * @param limit the maximum number of users
 */
public record UserQuery(StateOwner app, @Page.Only @Nullable String after, @Page.Only int limit) {

	/** Maximum number of users of a page. */
	public static final int MAX_LIMIT = 1000;

	public UserQuery {
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns this query for the page after a user. */
	public UserQuery after(String userId) {
		return new UserQuery(this.app, userId, this.limit);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	UserQuery atMost(int size) {
		return new UserQuery(this.app, this.after, Math.min(this.limit, size));
	}

	/**
	 * A user of an app, in a list. Expired sessions do not count.
	 *
	 * @param userId the user
	 * @param lastUpdateTime when the user's newest session was last updated
	 * @param sessions the number of sessions, at least 1, {@link #MAX_COUNTED_SESSIONS}
	 * if there are more
	 * @param moreSessions whether there are more sessions than that
	 */
	public record UserSummary(String userId, Instant lastUpdateTime, int sessions, boolean moreSessions) {

		/**
		 * Maximum number of sessions of a user that are counted, which limits the cost of
		 * a page.
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

}
