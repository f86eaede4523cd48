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
 * @param limit the size of a page, at most and by default 10,000
 * @param pageToken where the page begins, from the answer with the page before
 * @param includeState {@code false} leaves the state out
 * @param includeEval {@code true} lists sessions that ADK's evaluation made, too
 * @param includeRevision {@code true} adds the revision and the entity tag
 * @param displayName only sessions with this display name
 * @param label only sessions with this label, {@code key=value}; may be repeated
 * @param waiting {@code true} lists only sessions that wait for somebody's answer
 * @param sessionId only sessions with this id, also one that ADK's evaluation made
 */
record SessionListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
		@Nullable Boolean includeState, @Nullable Boolean includeEval, @Nullable Boolean includeRevision,
		@Nullable String displayName, String @Nullable [] label, @Nullable Boolean waiting,
		@Nullable String sessionId) {

	/** Makes the query; all users are listed if no user is given. */
	SessionQuery toQuery(String appName, @Nullable String userId, PageTokens tokens) {
		boolean evaluations = Boolean.TRUE.equals(this.includeEval) || this.sessionId != null;
		Filter filter = new Filter(this.displayName, labels(), evaluations, Boolean.TRUE.equals(this.waiting));
		SessionQuery query = new SessionQuery(appName, userId, Order.USER, QueryParameters.isNewestFirst(this.order),
				null, QueryParameters.pageSize(this.limit), filter, !Boolean.FALSE.equals(this.includeState),
				this.sessionId);
		return (this.pageToken != null) ? query.behind(position(this.pageToken, query, tokens)) : query;
	}

	/** The token of the page that follows a session. */
	static String tokenBehind(Session session, SessionQuery query, PageTokens tokens) {
		Position position = query.position(session);
		return tokens.issue(fingerprint(query), position.userId(), position.time().toString(), position.sessionId());
	}

	private static Position position(String token, SessionQuery query, PageTokens tokens) {
		List<String> place = tokens.position(token, fingerprint(query));
		return new Position(place.get(0), Instant.parse(place.get(1)), place.get(2));
	}

	/** Without an id as before there was that parameter: tokens outlive an upgrade. */
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
