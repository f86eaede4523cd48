package dev.agentsessions.session.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/**
 * Which sessions to list, and in which order; sessions of the same time by user and id.
 *
 * @param owner the user, or the app for all users
 * @param order the field that sorts the sessions
 * @param newestFirst newest first instead of oldest first
 * @param after the position after which the page begins, {@code null} for the first page
 * @param limit the maximum number of sessions
 * @param filter which of them
 * @param withState whether to read the state, too
 */
public record SessionQuery(StateOwner owner, Order order, boolean newestFirst, @Page.Only @Nullable Position after,
		@Page.Only int limit, Filter filter, @Page.Only boolean withState) {

	/** Creates a query of the first page. */
	public static SessionQuery of(StateOwner owner, Order order, boolean newestFirst, int limit, Filter filter,
			boolean withState) {
		return new SessionQuery(owner, order, newestFirst, null, limit, filter, withState);
	}

	/** Returns this query for the page after a position. */
	public SessionQuery after(Position position) {
		return with(this.owner, position, this.limit);
	}

	/** Returns this query for one user. */
	SessionQuery ofUser(String user) {
		return with(new StateOwner(this.owner.appName(), user), this.after, this.limit);
	}

	/** Returns the position of a session in this list. */
	public Position position(Session session) {
		Instant time = (this.order == Order.CREATE_TIME) ? session.createTime() : session.lastUpdateTime();
		return new Position(session.name().userId(), time, session.name().sessionId());
	}

	/** Returns this query with another limit. */
	public SessionQuery limit(int size) {
		return with(this.owner, this.after, size);
	}

	private SessionQuery with(StateOwner user, @Nullable Position position, int size) {
		return new SessionQuery(user, this.order, this.newestFirst, position, size, this.filter, this.withState);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	SessionQuery atMost(int size) {
		return (this.limit <= size) ? this : limit(size);
	}

	/**
	 * Selects sessions of a list.
	 *
	 * @param displayName only sessions with this display name, {@code null} for all
	 * @param labels only sessions that have all of these labels
	 * @param evaluations whether to list sessions of ADK's evaluations, too
	 * @param waiting whether to list only sessions that wait for an answer
	 * @param sessionId only sessions with this id, {@code null} for all
	 * @param prefix only sessions whose id or display name begins with this text,
	 * {@code null} for all
	 */
	public record Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations, boolean waiting,
			@Nullable String sessionId, @Nullable String prefix) {

		/** Prefixes of the ids of sessions that ADK's evaluations create. */
		public static final List<String> EVALUATION_PREFIXES = List.of("ADK_EVAL_", "___eval___session___",
				"adk-eval-session-");

		public Filter {
			StorableText.check("displayName", displayName);
			labels.forEach((key, value) -> {
				StorableText.check("labels", key);
				StorableText.check("labels", value);
			});
			if (sessionId != null) {
				Identifiers.check("sessionId", sessionId);
			}
			StorableText.check("prefix", prefix);
		}

		/** Creates a filter of sessions with any id, whether or not they wait. */
		public Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations) {
			this(displayName, labels, evaluations, false, null, null);
		}

		/**
		 * Parses a label as clients write it: {@code key=value}.
		 * @param field the name of the parameter
		 */
		public static Map.Entry<String, String> label(String field, String text) {
			int equals = text.indexOf('=');
			InvalidArgument.check(equals >= 0, field, "must be written key=value");
			return Map.entry(text.substring(0, equals), text.substring(equals + 1));
		}

	}

	/**
	 * The position of a session in a list.
	 *
	 * @param userId its user
	 * @param time the time that the list is sorted by
	 * @param sessionId its id
	 * @param upToSeq the newest event of the session that has not been examined yet;
	 * {@code null} if the session is done
	 */
	public record Position(String userId, Instant time, String sessionId, @Nullable Long upToSeq) {

		/** Creates the position of a session that is done. */
		public Position(String userId, Instant time, String sessionId) {
			this(userId, time, sessionId, null);
		}

		/** Returns the position that {@link #texts} describes. */
		public static Position of(List<String> texts) {
			return new Position(texts.get(0), Instant.parse(texts.get(1)), texts.get(2),
					(texts.size() > 3) ? Long.valueOf(texts.get(3)) : null);
		}

		public String[] texts() {
			return Stream.of(this.userId, this.time, this.sessionId, this.upToSeq)
				.filter(Objects::nonNull)
				.map(String::valueOf)
				.toArray(String[]::new);
		}

	}

	/** The field that sorts sessions. */
	public enum Order {

		/** By user, then by last update time. */
		USER,
		/** By last update time, across all users. */
		UPDATE_TIME,
		/** By create time, across all users. */
		CREATE_TIME

	}

	/**
	 * A page of sessions that have an event that meets a condition.
	 *
	 * @param items the sessions
	 * @param next the position after which the next page begins; {@code null} on the last
	 * page
	 */
	public record FoundSessions(List<Found> items, @Nullable Position next) {

		FoundSessions seen(Secrets secrets) {
			return new FoundSessions(
					this.items.stream().map((found) -> new Found(secrets.of(found.session()), found.seq())).toList(),
					this.next);
		}

		/**
		 * A session, and its newest event that meets the condition.
		 *
		 * @param session the session
		 * @param seq the seq of the event
		 */
		public record Found(Session session, long seq) {

		}

	}

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
		 * @param sessions the number of sessions, at least 1,
		 * {@link #MAX_COUNTED_SESSIONS} if there are more
		 * @param moreSessions whether there are more sessions than that
		 */
		public record UserSummary(String userId, Instant lastUpdateTime, int sessions, boolean moreSessions) {

			/**
			 * Maximum number of sessions of a user that are counted, which limits the
			 * cost of a page.
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

}
