package dev.agentsessions.adk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.PageToken;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionQuery.Filter;
import dev.agentsessions.session.SessionQuery.Position;

/**
 * The query parameters of a list of sessions.
 *
 * @param order by last update time: {@code asc}, the default, or {@code desc}
 * @param limit the size of a page, at most and by default 10,000
 * @param pageToken where the page begins, from the answer with the page before
 * @param includeState {@code false} leaves the state out
 * @param includeEval {@code true} lists sessions that ADK's evaluation made, too
 * @param displayName only sessions with this display name
 * @param label only sessions with this label, {@code key=value}; may be repeated
 */
record SessionListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
		@Nullable Boolean includeState, @Nullable Boolean includeEval, @Nullable String displayName,
		String @Nullable [] label) {

	private static final int PARTS = 3;

	/** Makes the query; all users are listed if no user is given. */
	SessionQuery toQuery(String appName, @Nullable String userId) {
		SessionQuery query = new SessionQuery(appName, userId, SortOrder.isNewestFirst(this.order), null,
				PageLimit.pageSize(this.limit),
				new Filter(this.displayName, labels(), Boolean.TRUE.equals(this.includeEval)),
				!Boolean.FALSE.equals(this.includeState));
		return (this.pageToken != null) ? query.behind(position(this.pageToken, query)) : query;
	}

	/** The token of the page that follows a session. */
	static String tokenBehind(Session session, SessionQuery query) {
		Position position = query.position(session);
		return PageToken.of(fingerprint(query), position.userId(),
				Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, position.time())), position.sessionId());
	}

	private static Position position(String token, SessionQuery query) {
		List<String> parts = PageToken.position(token, fingerprint(query), PARTS);
		return new Position(parts.get(0), Instant.EPOCH.plus(PageToken.number(parts.get(1)), ChronoUnit.MICROS),
				parts.get(2));
	}

	private static List<Object> fingerprint(SessionQuery query) {
		return List.of(query.appName(), String.valueOf(query.userId()), query.newestFirst(), query.filter());
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
