package dev.agentsessions.session;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which sessions to list: those of one user by last update time and then id; those of all
 * users of an app by user first.
 *
 * @param appName the app
 * @param userId the user, {@code null} for all users
 * @param newestFirst last updated first instead of last
 * @param behind the place behind which the page begins, {@code null} for the first page
 * @param limit at most so many
 * @param filter which of them
 * @param withState whether to read the state, too
 */
public record SessionQuery(String appName, @Nullable String userId, boolean newestFirst, @Nullable Position behind,
		int limit, Filter filter, boolean withState) {

	public SessionQuery {
		Names.check("appName", appName);
		if (userId != null) {
			Names.check("userId", userId);
		}
	}

	/** This query for the page that begins behind a place. */
	public SessionQuery behind(Position place) {
		return new SessionQuery(this.appName, this.userId, this.newestFirst, place, this.limit, this.filter,
				this.withState);
	}

	/** This query for a page of another size. */
	public SessionQuery limit(int size) {
		return new SessionQuery(this.appName, this.userId, this.newestFirst, this.behind, size, this.filter,
				this.withState);
	}

	/** This query, or that for a smaller page if this one is larger. */
	SessionQuery atMost(int size) {
		return (this.limit <= size) ? this : limit(size);
	}

	/**
	 * Which sessions of a list.
	 *
	 * @param displayName those with this display name, {@code null} for all
	 * @param labels those that have all of these labels
	 * @param evaluations whether sessions that ADK's evaluation made are listed, too
	 */
	public record Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations) {

		/** What marks the id of a session that ADK's evaluation made. */
		public static final String EVALUATION_PREFIX = "ADK_EVAL_";

	}

	/**
	 * The place of a session in a list.
	 *
	 * @param userId its user
	 * @param lastUpdateTime its last update time
	 * @param sessionId its id
	 */
	public record Position(String userId, Instant lastUpdateTime, String sessionId) {

		/** The place of a session. */
		public static Position of(Session session) {
			return new Position(session.key().userId(), session.lastUpdateTime(), session.key().sessionId());
		}

	}

}
