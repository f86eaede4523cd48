package dev.agentsessions.adk.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Filter;
import dev.agentsessions.session.manage.SessionQuery.Order;
import dev.agentsessions.session.manage.SessionQuery.Position;
import dev.agentsessions.web.PageTokens;

/**
 * The query parameters of a list of sessions.
 *
 * @param order by last update time: {@code asc}, the default, or {@code desc}
 * @param limit the maximum number of sessions of a page, at most and by default 10,000
 * @param pageToken the token of the page, from the response with the previous page
 * @param includeState {@code false} omits the state
 * @param includeEval {@code true} also lists sessions that ADK's evaluation created
 * @param includeRevision {@code true} adds the revision and the entity tag
 * @param displayName only sessions with this display name
 * @param label only sessions with this label, {@code key=value}; may be repeated
 * @param waiting {@code true} lists only sessions that wait for an answer
 * @param sessionId only sessions with this id, including those that ADK's evaluation
 * created
 */
record SessionListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
		@Nullable Boolean includeState, @Nullable Boolean includeEval, @Nullable Boolean includeRevision,
		@Nullable String displayName, String @Nullable [] label, @Nullable Boolean waiting,
		@Nullable String sessionId) {

	/** Returns the query; without a user, it lists the sessions of all users. */
	SessionQuery toQuery(String appName, @Nullable String userId, PageTokens tokens) {
		boolean evaluations = Boolean.TRUE.equals(this.includeEval) || this.sessionId != null;
		Filter filter = new Filter(this.displayName, labels(), evaluations, Boolean.TRUE.equals(this.waiting));
		SessionQuery query = SessionQuery
			.of(appName, userId, Order.USER, QueryParameters.isNewestFirst(this.order),
					QueryParameters.pageSize(this.limit), filter, !Boolean.FALSE.equals(this.includeState))
			.withSessionId(this.sessionId);
		return (this.pageToken != null) ? query.after(position(this.pageToken, query, tokens)) : query;
	}

	/** Returns the token of the page after a session. */
	static String tokenAfter(Session session, SessionQuery query, PageTokens tokens) {
		Position position = query.position(session);
		return tokens.issue(fingerprint(query), position.userId(), position.time().toString(), position.sessionId());
	}

	private static Position position(String token, SessionQuery query, PageTokens tokens) {
		List<String> cursor = tokens.position(token, fingerprint(query));
		return new Position(cursor.get(0), Instant.parse(cursor.get(1)), cursor.get(2));
	}

	/**
	 * Identifies the query in page tokens. It has no session id unless one is given, so
	 * that tokens from versions without this parameter stay valid after an upgrade.
	 */
	private static List<?> fingerprint(SessionQuery query) {
		List<Object> list = new ArrayList<>(
				Arrays.asList("adk sessions", query.appName(), query.userId(), query.newestFirst(), query.filter()));
		Optional.ofNullable(query.sessionId()).ifPresent(list::add);
		return list;
	}

	private Map<String, String> labels() {
		Map<String, String> labels = new TreeMap<>();
		for (String wanted : (this.label != null) ? this.label : new String[0]) {
			int equals = wanted.indexOf('=');
			if (equals < 0) {
				throw new SessionException.InvalidArgument("label", "must be written key=value");
			}
			labels.put(wanted.substring(0, equals), wanted.substring(equals + 1));
		}
		return labels;
	}

}
