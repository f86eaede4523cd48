package dev.agentsessions.session.manage;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StorableText;

/**
 * Which sessions to list, and in which order; sessions of the same time by user and id.
 *
 * @param appName the app
 * @param userId the user, {@code null} for all users
 * @param order the field that sorts the sessions
 * @param newestFirst newest first instead of oldest first
 * @param after the position after which the page begins, {@code null} for the first page
 * @param limit the maximum number of sessions
 * @param filter which of them
 * @param withState whether to read the state, too
 * @param sessionId only sessions with this id, {@code null} for all
 * @param prefix only sessions whose id or display name begins with this text,
 * {@code null} for all
 */
public record SessionQuery(String appName, @Nullable String userId, Order order, boolean newestFirst,
		@Nullable Position after, int limit, Filter filter, boolean withState, @Nullable String sessionId,
		@Nullable String prefix) {

	public SessionQuery {
		Identifiers.check("appName", appName);
		if (userId != null) {
			Identifiers.checkUser(userId);
		}
		if (sessionId != null) {
			Identifiers.check("sessionId", sessionId);
		}
		if (prefix != null && !StorableText.test(prefix)) {
			throw new SessionException.InvalidArgument("prefix", StorableText.RULE);
		}
	}

	/** Creates a query of the first page, of sessions with any id. */
	public static SessionQuery of(String appName, @Nullable String userId, Order order, boolean newestFirst, int limit,
			Filter filter, boolean withState) {
		return new SessionQuery(appName, userId, order, newestFirst, null, limit, filter, withState, null, null);
	}

	/** Returns this query for sessions with this id only; {@code null} for any. */
	public SessionQuery withSessionId(@Nullable String id) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, this.after, this.limit,
				this.filter, this.withState, id, this.prefix);
	}

	/**
	 * Returns this query for sessions whose id or display name begins with a text;
	 * {@code null} for any.
	 */
	public SessionQuery withPrefix(@Nullable String beginning) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, this.after, this.limit,
				this.filter, this.withState, this.sessionId, beginning);
	}

	/** Returns this query for the page after a position. */
	public SessionQuery after(Position position) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, position, this.limit,
				this.filter, this.withState, this.sessionId, this.prefix);
	}

	/** Returns this query for one user. */
	SessionQuery ofUser(String user) {
		return new SessionQuery(this.appName, user, this.order, this.newestFirst, this.after, this.limit, this.filter,
				this.withState, this.sessionId, this.prefix);
	}

	/** Returns the position of a session in this list. */
	public Position position(Session session) {
		Instant time = (this.order == Order.CREATE_TIME) ? session.createTime() : session.lastUpdateTime();
		return new Position(session.key().userId(), time, session.key().sessionId());
	}

	/** Returns this query with another limit. */
	public SessionQuery limit(int size) {
		return new SessionQuery(this.appName, this.userId, this.order, this.newestFirst, this.after, size, this.filter,
				this.withState, this.sessionId, this.prefix);
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
	 */
	public record Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations,
			boolean waiting) {

		/** Prefixes of the ids of sessions that ADK's evaluations create. */
		public static final List<String> EVALUATION_PREFIXES = List.of("ADK_EVAL_", "___eval___session___",
				"adk-eval-session-");

		public Filter {
			checkText("displayName", Stream.ofNullable(displayName));
			checkText("labels",
					labels.entrySet().stream().flatMap((label) -> Stream.of(label.getKey(), label.getValue())));
		}

		/** Creates a filter of sessions, whether or not they wait. */
		public Filter(@Nullable String displayName, Map<String, String> labels, boolean evaluations) {
			this(displayName, labels, evaluations, false);
		}

		/**
		 * Parses a label as clients write it: {@code key=value}.
		 * @param field the name of the parameter
		 */
		public static Map.Entry<String, String> label(String field, String text) {
			int equals = text.indexOf('=');
			if (equals < 0) {
				throw new SessionException.InvalidArgument(field, "must be written key=value");
			}
			return Map.entry(text.substring(0, equals), text.substring(equals + 1));
		}

		private static void checkText(String field, Stream<String> texts) {
			if (!texts.allMatch(StorableText::test)) {
				throw new SessionException.InvalidArgument(field, StorableText.RULE);
			}
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

}
