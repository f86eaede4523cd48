package dev.agentsessions.console.session;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;

/**
 * Finds the events of a page that a model does not see any more, because a rewind took
 * them back or a summary replaces them.
 */
final class ContextGaps {

	private ContextGaps() {
	}

	/**
	 * Returns the seqs of these events.
	 * @param shown the page of events, the newest first
	 */
	static Set<Long> of(EventService events, SessionKey key, EventPage shown) {
		List<Event> items = shown.items();
		if (items.isEmpty()) {
			return Set.of();
		}
		long last = items.get(0).seq();
		long first = items.get(items.size() - 1).seq();
		EventPage seen = events.list(key,
				EventQuery.of(true, items.size())
					.withView(HistoryView.CONTEXT)
					.ofSession(shown.birth())
					.between(first - 1, last + 1),
				ContextGaps::withoutBody);
		long known = seen.more() ? seen.end().seq() : first;
		Set<Long> gaps = new HashSet<>();
		items.stream().map(Event::seq).filter((seq) -> seq >= known).forEach(gaps::add);
		seen.items().stream().map(Event::seq).forEach(gaps::remove);
		return gaps;
	}

	private static Event withoutBody(Event event) {
		return new Event(event.seq(), event.commitTime(), event.id(), JsonText.NULL);
	}

}
