package dev.agentsessions.adk.event;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.web.PageTokens;

/**
 * A page of events.
 *
 * @param events the events, by seq
 * @param seqs the seq of each event
 * @param nextPageToken the token of the next page; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EventList(List<Event> events, List<Long> seqs, @Nullable String nextPageToken) {

	static EventList from(EventPage page, SessionKey key, EventQuery first, PageTokens tokens) {
		return new EventList(page.items(), page.items().stream().map(Event::seq).toList(),
				page.more() ? EventListParameters.tokenAfter(page, key, first, tokens) : null);
	}

}
