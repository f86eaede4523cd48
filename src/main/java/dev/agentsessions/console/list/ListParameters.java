package dev.agentsessions.console.list;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.manage.SessionQuery.Filter;
import dev.agentsessions.session.manage.SessionQuery.Order;
import dev.agentsessions.session.manage.SessionQuery.Position;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.web.PageTokens;

/**
 * The query parameters of a page that lists sessions.
 *
 * @param name only sessions with this display name; blank for all
 * @param label only sessions with this label, {@code key=value}; blank for all
 * @param waiting whether to list only sessions with a pending call
 * @param order the order of a list of all users: {@code time} for last updated first,
 * else user by user
 * @param page the page token; {@code null} for the first page
 */
record ListParameters(@Nullable String name, @Nullable String label, @Nullable Boolean waiting, @Nullable String order,
		@Nullable String page) {

	private static final int PAGE_SIZE = 50;

	/** Returns the query of the page; without a user, for all users of the app. */
	SessionQuery toQuery(String appName, @Nullable String userId, PageTokens tokens) {
		Filter filter = new Filter(StringUtils.hasText(this.name) ? this.name : null, labels(), true,
				Boolean.TRUE.equals(this.waiting));
		SessionQuery query = SessionQuery.of(appName, userId,
				(userId == null && isByTime()) ? Order.UPDATE_TIME : Order.USER, true, PAGE_SIZE, filter, false);
		return StringUtils.hasText(this.page) ? query.after(position(this.page, query, tokens)) : query;
	}

	/** Returns whether the list is ordered by update time instead of by user. */
	public boolean isByTime() {
		return "time".equals(this.order);
	}

	/** Returns the query string of the next page, which begins after a session. */
	String next(Session session, SessionQuery query, PageTokens tokens) {
		Position position = query.position(session);
		String token = tokens.issue(fingerprint(query), position.userId(), position.time().toString(),
				position.sessionId());
		UriComponentsBuilder next = UriComponentsBuilder.newInstance();
		add(next, "name", this.name);
		add(next, "label", this.label);
		add(next, "waiting", Boolean.TRUE.equals(this.waiting) ? "true" : null);
		add(next, "order", this.order);
		add(next, "page", token);
		return next.build(true).toUriString();
	}

	private static void add(UriComponentsBuilder query, String name, @Nullable String value) {
		if (StringUtils.hasText(value)) {
			query.queryParam(name, Links.encode(value));
		}
	}

	private static Position position(String token, SessionQuery query, PageTokens tokens) {
		List<String> values = tokens.position(token, fingerprint(query));
		return new Position(values.get(0), Instant.parse(values.get(1)), values.get(2));
	}

	private static List<?> fingerprint(SessionQuery query) {
		return Arrays.asList("console sessions", query.appName(), query.userId(), query.order(), query.filter());
	}

	private Map<String, String> labels() {
		if (!StringUtils.hasText(this.label)) {
			return Map.of();
		}
		int equals = this.label.indexOf('=');
		if (equals < 0) {
			throw new SessionException.InvalidArgument("The label", "must be written key=value");
		}
		return Map.of(this.label.substring(0, equals).strip(), this.label.substring(equals + 1).strip());
	}

}
