package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.usage.UsageService;

/**
 * The newest events of a session up to a moment, as many as a page shows.
 *
 * @param at the seq of the last event before the moment
 * @param revision the revision of the session now
 * @param last the seq of the last event shown, 0 if there is none
 * @param turns the events, the oldest first
 * @param older the page of older events; {@code null} if there are none
 * @param newer the page of newer events; {@code null} if there are none
 */
record MomentView(long at, long revision, long last, List<TurnView> turns, @Nullable String older,
		@Nullable String newer) {

	static final int MAX_EVENTS = 50;

	/** Returns the query for the events up to and including a seq. */
	static EventQuery query(long at) {
		return EventQuery.of(true, MAX_EVENTS).between(0, at + 1);
	}

	/**
	 * Returns the view of a moment.
	 * @param newestFirst the events, as many as a page shows
	 * @param before the known state before these events
	 */
	static MomentView of(EventViews views, long at, long revision, List<Event> newestFirst,
			Map<String, JsonText> before) {
		List<Event> events = new ArrayList<>(newestFirst);
		Collections.reverse(events);
		long first = events.isEmpty() ? 0 : events.get(0).seq();
		long last = events.isEmpty() ? 0 : events.get(events.size() - 1).seq();
		String older = (first > 1) ? views.session(first - 1) : null;
		String newer = (at < revision) ? views.session(newer(at, revision)) : null;
		return new MomentView(at, revision, last, views.turns(events, before), older, newer);
	}

	/**
	 * Returns the view with the whole tokens of its first turn, of which the page may not
	 * show the first events. Events without an invocation are no turn with a beginning.
	 */
	MomentView withWholeTurn(SessionKey key, UsageService usage) {
		if (this.older == null) {
			return this;
		}
		List<TurnView> whole = new ArrayList<>(this.turns);
		TurnView first = whole.get(0);
		whole.set(0, first.with(first.isNamed() ? usage.before(key, first.events().get(0).seq(), first.invocation())
				: Optional.empty()));
		return new MomentView(this.at, this.revision, this.last, whole, this.older, this.newer);
	}

	/**
	 * Returns the seq of the last event on the page with the first events; {@code null}
	 * if it is this page.
	 */
	public @Nullable Integer oldest() {
		return (this.older != null && this.at > MAX_EVENTS) ? Integer.valueOf(MAX_EVENTS) : null;
	}

	/** Returns whether the moment is the current one. */
	public boolean isNewest() {
		return this.newer == null;
	}

	private static @Nullable Long newer(long at, long revision) {
		return (at + MAX_EVENTS < revision) ? Long.valueOf(at + MAX_EVENTS) : null;
	}

}
