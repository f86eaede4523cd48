package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.history.HistoryService;
import dev.agentsessions.session.history.PastSession;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.web.part.InlineDataStripper;

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
		SessionKey key = now.key();
		UnaryOperator<Event> light = new InlineDataStripper(links.session(key));
		if (mode.isContext()) {
			EventViews views = new EventViews(key, links, mode, Set.of());
			return MomentView.of(views, moment, now.revision(), context(now, moment, light), Map.of());
		}
		EventPage page = this.events.list(key, MomentView.query(moment).ofSession(now.birth()), light);
		EventViews views = new EventViews(key, links, mode, ContextGaps.of(this.events, key, page));
		return MomentView.of(views, moment, now.revision(), page.items(), before(key, page.items()));
	}

	/**
	 * Reads the state before the events of a page. Only that at the beginning of a
	 * session is read, for which no event is needed.
	 */
	private Map<String, JsonText> before(SessionKey key, List<Event> newestFirst) {
		boolean first = !newestFirst.isEmpty() && newestFirst.get(newestFirst.size() - 1).seq() == 1;
		return first ? PastSession.ownState(this.history.get(key, 0, EventWindow.NONE).session()) : Map.of();
	}

	/** Reads the events that a model saw at the moment, the newest first. */
	private List<Event> context(Session now, long moment, UnaryOperator<Event> light) {
		Session then = (moment == now.revision()) ? this.sessions.get(now.key(), CONTEXT)
				: this.history.get(now.key(), moment, CONTEXT).session();
		List<Event> events = new ArrayList<>(then.withEvents(light).events().toList());
		Collections.reverse(events);
		return events;
	}

	/** Reads the next events after a seq. */
	List<TurnView> after(SessionKey key, long seq, ReadingMode mode, Links links) {
		EventQuery query = EventQuery.of(false, MomentView.MAX_EVENTS).between(seq, Long.MAX_VALUE);
		EventPage page = this.events.list(key, query, new InlineDataStripper(links.session(key)));
		return new EventViews(key, links, mode, Set.of()).turns(page.items());
	}

	/** Returns the query with which the API returns the same events. */
	static String query(ReadingMode mode, @Nullable Long at) {
		return "?numRecentEvents=" + MomentView.MAX_EVENTS + (mode.isContext() ? "&view=context" : "")
				+ ((at != null) ? "&atSeq=" + at : "");
	}

}
