package dev.agentsessions.session.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.Timestamps;

/**
 * Which events of a session to list, in the order of the time that their senders gave
 * them; events of the same microsecond by seq.
 *
 * @param newestFirst newest first instead of oldest first
 * @param from only events of this microsecond or later; {@code null} for all
 * @param until only events of this microsecond or earlier; {@code null} for all
 * @param after the position after which the page begins, {@code null} for the first page
 * @param limit the maximum number of events
 */
public record TimelineQuery(boolean newestFirst, @Nullable Instant from, @Nullable Instant until,
		@Page.Only @Nullable EventPosition after, @Page.Only int limit) {

	public TimelineQuery {
		from = Timestamps.toMicroseconds(from);
		until = Timestamps.toMicroseconds(until);
	}

	/** Returns this query for the page after a position, in its session. */
	public TimelineQuery after(EventPosition position) {
		return new TimelineQuery(this.newestFirst, this.from, this.until, position, this.limit);
	}

	/**
	 * Returns the key of the session whose events are listed; {@code null} for the
	 * session that has the name now.
	 */
	public @Nullable UUID sessionKey() {
		return (this.after != null) ? this.after.event().sessionKey() : null;
	}

	/** Returns this query with another limit. */
	public TimelineQuery limit(int size) {
		return new TimelineQuery(this.newestFirst, this.from, this.until, this.after, size);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	TimelineQuery atMost(int size) {
		return (this.limit <= size) ? this : limit(size);
	}

	/**
	 * The position of an event in a timeline.
	 *
	 * @param time its own time, in microseconds
	 * @param event the point right after it
	 */
	public record EventPosition(Instant time, EventPoint event) {

		public EventPosition {
			time = time.truncatedTo(ChronoUnit.MICROS);
		}

	}

}
