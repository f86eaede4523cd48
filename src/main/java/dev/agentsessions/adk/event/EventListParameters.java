package dev.agentsessions.adk.event;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventFilter;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.web.PageTokens;

/**
 * The query parameters of a list of events.
 *
 * @param order by seq: {@code asc}, the default, or {@code desc}
 * @param limit the maximum number of events of a page, at most and by default 10,000
 * @param pageToken the token of the page, from the response with the previous page
 * @param afterSeq only events with a greater seq: those missed since this revision
 * @param afterTimestamp only events with this timestamp or a later one
 * @param author only events of this author
 * @param invocationId only events of this invocation
 * @param view {@code full}, the default, or {@code context}: only events that a model
 * sees
 * @param parts {@code full}, the default, or {@code light}: without large data
 */
record EventListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
		@Nullable Long afterSeq, @Nullable String afterTimestamp, @Nullable String author,
		@Nullable String invocationId, @Nullable String view, @Nullable String parts) {

	EventQuery toQuery(SessionKey key, PageTokens tokens) {
		if (this.afterSeq != null && this.afterSeq < 0) {
			throw new SessionException.InvalidArgument("afterSeq", "must not be negative");
		}
		EventQuery query = EventQuery
			.of(QueryParameters.isNewestFirst(this.order), QueryParameters.pageSize(this.limit))
			.between((this.afterSeq != null) ? this.afterSeq : 0, Long.MAX_VALUE)
			.filtered(new EventFilter(QueryParameters.since(this.afterTimestamp), this.author, this.invocationId))
			.withView(QueryParameters.view(this.view));
		return (this.pageToken != null) ? after(this.pageToken, key, query, tokens) : query;
	}

	/** Returns the token of the page after another page of the same session. */
	static String tokenAfter(EventPage page, SessionKey key, EventQuery query, PageTokens tokens) {
		return tokens.issue(fingerprint(key, query), page.birth().toString(), page.end().text());
	}

	private static EventQuery after(String token, SessionKey key, EventQuery query, PageTokens tokens) {
		List<String> cursor = tokens.position(token, fingerprint(key, query));
		return query.after(EventPoint.parse("pageToken", UUID.fromString(cursor.get(0)), cursor.get(1)));
	}

	/**
	 * Identifies the query in page tokens. The fingerprint of the full view does not name
	 * the view, so that tokens from versions without views stay valid after an upgrade.
	 */
	private static List<?> fingerprint(SessionKey key, EventQuery query) {
		String list = (query.view() == HistoryView.CONTEXT) ? "adk context" : "adk events";
		return Arrays.asList(list, key, query.newestFirst(), query.filter().since(), query.filter().author(),
				query.filter().invocationId());
	}

}
