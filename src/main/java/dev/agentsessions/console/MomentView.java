package dev.agentsessions.console;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventQuery;

/**
 * The events around a moment of a session: those until then, as many as a page shows.
 *
 * @param at right after which event
 * @param revision how many events there are
 * @param first the first event shown, 0 if none is
 * @param turns the events, the oldest first
 * @param older where older events are; {@code null} if there are none
 * @param newer where newer events are; {@code null} if there are none
 */
record MomentView(long at, long revision, long first, List<TurnView> turns, @Nullable String older,
		@Nullable String newer) {

	/** So many events make a page. */
	static final int EVENTS = 50;

	/** The query for the events until one of them. */
	static EventQuery query(long at) {
		return new EventQuery(true, 0, at + 1, null, null, null, EVENTS);
	}

	/**
	 * Makes a view.
	 * @param newestFirst the events of the query
	 */
	static MomentView of(SessionKey key, long at, long revision, List<Event> newestFirst, Links links) {
		List<Event> events = new ArrayList<>(newestFirst);
		Collections.reverse(events);
		long first = events.isEmpty() ? 0 : events.get(0).seq();
		String older = (first > 1) ? links.session(key, first - 1) : null;
		String newer = (at < revision) ? links.session(key, newer(at, revision)) : null;
		return new MomentView(at, revision, first, turns(key, events, links), older, newer);
	}

	/** Events as a page shows them, the oldest first. */
	static List<TurnView> turns(SessionKey key, List<Event> events, Links links) {
		return TurnView.of(events.stream().map((event) -> EventView.of(event, key, links)).toList(),
				links.session(key));
	}

	/** Whether it is the session as it is now. */
	public boolean isNewest() {
		return this.newer == null;
	}

	private static @Nullable Long newer(long at, long revision) {
		return (at + EVENTS < revision) ? Long.valueOf(at + EVENTS) : null;
	}

}
