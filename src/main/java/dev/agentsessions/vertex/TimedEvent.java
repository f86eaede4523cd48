package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.TimelineQuery.EventPlace;

/**
 * An event with its own time, to the nanosecond.
 *
 * @param event the event
 * @param time the time its sender gave it
 * @param birth which session it belongs to
 */
record TimedEvent(Event event, Instant time, UUID birth) {

	private static final Comparator<TimedEvent> OLDEST_FIRST = Comparator.comparing(TimedEvent::time)
		.thenComparing((timed) -> timed.event().seq());

	/** So close, the store may take two times for the same. */
	private static final long MICROSECOND = 1000;

	EventPlace position() {
		return new EventPlace(this.time, this.event.seq());
	}

	/**
	 * Puts events in order that the store has ordered by the microsecond. ADK Rust does
	 * not read a session with two in the wrong order. Those that are as late as the last
	 * one stay where they are if others follow, because these begin behind it.
	 */
	static Page<TimedEvent> inOrder(EventPage page, boolean newestFirst) {
		List<TimedEvent> events = new ArrayList<>(
				page.items().stream().map((event) -> of(event, page.birth())).toList());
		int end = events.size();
		while (page.more() && end > 0 && events.get(end - 1).isCloseTo(events.get(events.size() - 1))) {
			end--;
		}
		events.subList(0, end).sort(newestFirst ? OLDEST_FIRST.reversed() : OLDEST_FIRST);
		return new Page<>(events, page.more());
	}

	private static TimedEvent of(Event event, UUID birth) {
		return new TimedEvent(event, EventFields.timeOf(JsonObject.parse(event.body().text())), birth);
	}

	private boolean isCloseTo(TimedEvent other) {
		return !this.time.minusNanos(MICROSECOND).isAfter(other.time)
				&& !this.time.plusNanos(MICROSECOND).isBefore(other.time);
	}

}
