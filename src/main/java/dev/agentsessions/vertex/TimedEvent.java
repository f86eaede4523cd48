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
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.TimelineQuery.EventPosition;

/**
 * An event with its own time, to the nanosecond.
 *
 * @param event the event
 * @param time the time that its sender set
 * @param sessionKey the key (a UUID) of its session
 */
record TimedEvent(Event event, Instant time, UUID sessionKey) {

	private static final Comparator<TimedEvent> OLDEST_FIRST = Comparator.comparing(TimedEvent::time)
		.thenComparing((timed) -> timed.event().seq());

	/**
	 * The store orders times by the microsecond, so closer times may be in any order.
	 */
	private static final long MICROSECOND_NANOS = 1000;

	EventPosition position() {
		return new EventPosition(this.time, EventPoint.after(this.sessionKey, this.event));
	}

	/**
	 * Sorts events by the nanosecond, which the store has sorted by the microsecond. ADK
	 * Rust does not read a session with two events in the wrong order. If the list
	 * continues, events within a microsecond of the last one keep their order, because
	 * the next page begins after the last event.
	 */
	static Page<TimedEvent> inOrder(EventPage page, boolean newestFirst) {
		List<TimedEvent> events = new ArrayList<>(
				page.items().stream().map((event) -> of(event, page.sessionKey())).toList());
		int end = events.size();
		while (page.more() && end > 0 && events.get(end - 1).isCloseTo(events.get(events.size() - 1))) {
			end--;
		}
		events.subList(0, end).sort(newestFirst ? OLDEST_FIRST.reversed() : OLDEST_FIRST);
		return new Page<>(events, page.more());
	}

	private static TimedEvent of(Event event, UUID sessionKey) {
		return new TimedEvent(event, EventFields.timeOf(JsonObject.of(event.body())), sessionKey);
	}

	private boolean isCloseTo(TimedEvent other) {
		return !this.time.minusNanos(MICROSECOND_NANOS).isAfter(other.time)
				&& !this.time.plusNanos(MICROSECOND_NANOS).isBefore(other.time);
	}

}
