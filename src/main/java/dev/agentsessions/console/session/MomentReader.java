package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.session.EventViews.EventView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.web.InlineDataStripper;

/** Reads the events that the page of a session shows. */
@Component
class MomentReader {

	private static final EventWindow CONTEXT = new EventWindow(MomentView.MAX_EVENTS, null, HistoryView.CONTEXT);

	private final SessionService sessions;

	private final EventService events;

	private final HistoryService history;

	MomentReader(SessionService sessions, EventService events, HistoryService history) {
		this.sessions = sessions;
		this.events = events;
		this.history = history;
	}

	/**
	 * Reads the events up to a moment.
	 * @param moment the seq of the last event before the moment
	 */
	MomentView at(Session now, long moment, ReadingMode mode, Links links) {
		SessionName name = now.name();
		UnaryOperator<Event> light = new InlineDataStripper(links.session(name));
		if (mode.isContext()) {
			EventViews views = new EventViews(name, links, mode, Set.of());
			return MomentView.of(views, moment, now.revision(), context(now, moment, light), Map.of());
		}
		EventPage page = this.events.list(name, MomentView.query(moment).ofSession(now.sessionKey()), light);
		EventViews views = new EventViews(name, links, mode, gaps(name, page));
		List<Event> events = new ArrayList<>(page.items());
		Collections.reverse(events);
		return MomentView.of(views, moment, now.revision(), events, before(name, events));
	}

	/**
	 * Reads the state before the events of a page. Only that at the beginning of a
	 * session is read, for which no event is needed.
	 */
	private Map<String, JsonText> before(SessionName name, List<Event> events) {
		boolean first = !events.isEmpty() && events.get(0).seq() == 1;
		return first ? PastSession.ownState(this.history.get(name, 0, EventWindow.NONE).session()) : Map.of();
	}

	/** Reads the events that a model saw at the moment. */
	private List<Event> context(Session now, long moment, UnaryOperator<Event> light) {
		Session then = (moment == now.revision()) ? this.sessions.get(now.name(), CONTEXT)
				: this.history.get(now.name(), moment, CONTEXT).session();
		return then.withEvents(light).events().toList();
	}

	/** Reads the next events after a seq. */
	List<TurnView> after(SessionName name, long seq, ReadingMode mode, Links links) {
		EventQuery query = EventQuery.of(false, MomentView.MAX_EVENTS).after(seq);
		EventPage page = this.events.list(name, query, new InlineDataStripper(links.session(name)));
		return new EventViews(name, links, mode, Set.of()).turns(page.items(), Map.of());
	}

	/** Returns the query with which the API returns the same events. */
	static String query(ReadingMode mode, @Nullable Long at) {
		return "?numRecentEvents=" + MomentView.MAX_EVENTS + (mode.isContext() ? "&view=context" : "")
				+ ((at != null) ? "&atSeq=" + at : "");
	}

	/**
	 * Finds the events of a page that a model does not see any more, because a rewind
	 * took them back or a summary replaces them.
	 * @param shown the page of events, the newest first
	 * @return the seqs of these events
	 */
	private Set<Long> gaps(SessionName name, EventPage shown) {
		List<Event> items = shown.items();
		if (items.isEmpty()) {
			return Set.of();
		}
		long last = items.get(0).seq();
		long first = items.get(items.size() - 1).seq();
		EventPage seen = this.events.list(name,
				EventQuery.of(true, items.size())
					.withView(HistoryView.CONTEXT)
					.ofSession(shown.sessionKey())
					.between(first - 1, last + 1),
				MomentReader::withoutBody);
		long known = seen.more() ? seen.end().seq() : first;
		Set<Long> gaps = new HashSet<>();
		items.stream().map(Event::seq).filter((seq) -> seq >= known).forEach(gaps::add);
		seen.items().stream().map(Event::seq).forEach(gaps::remove);
		return gaps;
	}

	private static Event withoutBody(Event event) {
		return new Event(event.seq(), event.commitTime(), event.id(), JsonText.NULL);
	}

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
		 * @param events the events, as many as a page shows
		 * @param before the known state before these events
		 */
		static MomentView of(EventViews views, long at, long revision, List<Event> events,
				Map<String, JsonText> before) {
			long first = events.isEmpty() ? 0 : events.get(0).seq();
			long last = events.isEmpty() ? 0 : events.get(events.size() - 1).seq();
			String older = (first > 1) ? views.session(first - 1) : null;
			String newer = (at < revision) ? views.session(newer(at, revision)) : null;
			return new MomentView(at, revision, last, views.turns(events, before), older, newer);
		}

		/**
		 * Returns the view with the whole tokens of its first turn, of which the page may
		 * not show the first events. Events without an invocation are no turn with a
		 * beginning.
		 */
		MomentView withWholeTurn(SessionName name, UsageService usage) {
			if (this.older == null) {
				return this;
			}
			List<TurnView> whole = new ArrayList<>(this.turns);
			TurnView first = whole.get(0);
			whole.set(0, first.with(first.isNamed()
					? usage.before(name, first.events().get(0).seq(), first.invocation()) : Optional.empty()));
			return new MomentView(this.at, this.revision, this.last, whole, this.older, this.newer);
		}

		/**
		 * Returns the seq of the last event on the page with the first events;
		 * {@code null} if it is this page.
		 */
		public @Nullable Integer oldest() {
			return (this.older != null && this.at > MAX_EVENTS) ? Integer.valueOf(MAX_EVENTS) : null;
		}

		/**
		 * Returns the marks of the time line by their kind: where a turn begins, where a
		 * call waits, and where an event failed. Each is a line at the seq of its event.
		 */
		public Map<String, String> marks() {
			return Map.of("quiet", marks(this.turns.stream().map((turn) -> turn.events().get(0))), "waits",
					marks(events().filter(EventView::isAsking)), "error", marks(events().filter(EventView::isFailed)));
		}

		private static String marks(Stream<EventView> events) {
			return SessionView.marks(events.mapToLong(EventView::seq));
		}

		private Stream<EventView> events() {
			return this.turns.stream().flatMap((turn) -> turn.events().stream());
		}

		/** Returns the page of the last event shown; {@code null} if there is none. */
		public @Nullable String lastEvent() {
			return events().reduce((first, second) -> second).map(EventView::link).orElse(null);
		}

		/** Returns whether the moment is the current one. */
		public boolean isNewest() {
			return this.newer == null;
		}

		private static @Nullable Long newer(long at, long revision) {
			return (at + MAX_EVENTS < revision) ? Long.valueOf(at + MAX_EVENTS) : null;
		}

	}

}
