package dev.agentsessions.session.manage;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Session;

/**
 * Which sessions to list, and in which order; those of the same moment by user and id.
 *
 * @param appName the app
 * @param userId the user, {@code null} for all users
 * @param order what they are sorted by
 * @param newestFirst last updated first instead of last
 * @param behind the place behind which the page begins, {@code null} for the first page
 * @param limit at most so many
 * @param filter which of them
 * @param withState whether to read the state, too
 * @param sessionId only sessions with this id, {@code null} for all
 */
public record SessionQuery(String appName, @Nullable String userId, Order order, boolean newestFirst,
		@Nullable Position behind, int limit, Filter filter, boolean withState, @Nullable String sessionId) {

	public SessionQuery {
		Identifiers.check("appName", appName);
		if (userId != null) {
			Identifiers.checkUser(userId);
		}
		if (sessionId != null) {
			Identifiers.check("sessionId", sessionId);
		}
	}

	/** A query of sessions with any id. */
	public SessionQuery(String appName, @Nullable String userId, Order order, boolean newestFirst,
			@Nullable Position behind, int limit, Filter filter, boolean withState) {
		this(appName, userId, order, newestFirst, behind, limit, filter, withState, null);
	}

	/** A query whose pages cost the same wherever they are. */
	public SessionQuery(String appName, @Nullable String userId, boolean newestFirst, @Nullable Position behind,
			int limit, Filter filter, boolean withState) {
		this(appName, userId, Order.USER, newestFirst, behind, limit, filter, withState);
	}

	/** This query for the page that begins behind a place. */
	public SessionQuery behind(Position place) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, place, this.limit, this.filter,
				this.withState, this.sessionId);
	}

	/** This query of one user. */
	SessionQuery ofUser(String user) {
		return new SessionQuery(this.appName, user, this.order, this.newestFirst, this.behind, this.limit, this.filter,
				this.withState, this.sessionId);
	}

	/** The place of a session in this list. */
	public Position position(Session session) {
		Instant time = (this.order == Order.CREATE_TIME) ? session.createTime() : session.lastUpdateTime();
		return new Position(session.key().userId(), time, session.key().sessionId());
	}

	/** This query for a page of another size. */
	public SessionQuery limit(int size) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, this.behind, size, this.filter,
				this.withState, this.sessionId);
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
	 * @param waiting whether only those are listed that wait for somebody's answer
	 */
	public record Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations,
			boolean waiting) {

		/** How the ids of sessions begin that the evaluations of ADK made. */
		public static final List<String> EVALUATION_PREFIXES = List.of("ADK_EVAL_", "___eval___session___",
				"adk-eval-session-");

		/** A filter of sessions, whether or not they wait. */
		public Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations) {
			this(displayName, labels, evaluations, false);
		}

	}

	/**
	 * The place of a session in a list.
	 *
	 * @param userId its user
	 * @param time the time that the list is sorted by
	 * @param sessionId its id
	 */
	public record Position(String userId, Instant time, String sessionId) {

	}

	/** What sessions are sorted by. */
	public enum Order {

		/** One user after the other, those of each by last update time. */
		USER,
		/** Last update time, whoever their users are. */
		UPDATE_TIME,
		/** The time they were created, whoever their users are. */
		CREATE_TIME

	}

}
