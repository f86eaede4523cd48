package dev.agentsessions.adk.event;

import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
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

	private static final String LIST = "adk events";

	/** Returns the query of the first page. */
	EventQuery toQuery() {
		if (this.afterSeq != null && this.afterSeq < 0) {
			throw new SessionException.InvalidArgument("afterSeq", "must not be negative");
		}
		return EventQuery.of(QueryParameters.isNewestFirst(this.order), QueryParameters.pageSize(this.limit))
			.between((this.afterSeq != null) ? this.afterSeq : 0, Long.MAX_VALUE)
			.filtered(new EventFilter(QueryParameters.since(this.afterTimestamp), this.author, this.invocationId))
			.withView(QueryParameters.view(this.view));
	}

	/** Returns the query of the page that the token names. */
	EventQuery page(SessionName name, EventQuery first, PageTokens tokens) {
		if (this.pageToken == null) {
			return first;
		}
		List<String> cursor = tokens.position(this.pageToken, LIST, List.of(name, first));
		return first.after(EventPoint.parse("pageToken", UUID.fromString(cursor.get(0)), cursor.get(1)));
	}

	/** Returns the token of the page after another page of the same session. */
	static String tokenAfter(EventPage page, SessionName name, EventQuery first, PageTokens tokens) {
		return tokens.issue(LIST, List.of(name, first), page.sessionKey().toString(), page.end().text());
	}

	/**
	 * A page of events.
	 *
	 * @param events the events, by seq
	 * @param seqs the seq of each event
	 * @param nextPageToken the token of the next page; absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record EventList(List<Event> events, List<Long> seqs, @Nullable String nextPageToken) {

		static EventList from(EventPage page, SessionName name, EventQuery first, PageTokens tokens) {
			return new EventList(page.items(), page.items().stream().map(Event::seq).toList(),
					page.more() ? EventListParameters.tokenAfter(page, name, first, tokens) : null);
		}

	}

}
