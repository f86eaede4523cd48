package dev.agentsessions.session.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Timestamps;

/**
 * Selects the events of a session to list. They are ordered by seq.
 *
 * @param sessionKey only events of the session with this key; {@code null} for the
 * session that has the name now
 * @param newestFirst newest first instead of oldest first
 * @param afterSeq only events after this seq
 * @param beforeSeq only events before this seq
 * @param filter only events that it selects
 * @param limit the maximum number of events
 * @param view how much of the history to read
 * @param point where the list goes on; {@code null} at its begin. There is no result if
 * the session does not have the event of the point
 */
public record EventQuery(@Nullable UUID sessionKey, boolean newestFirst, long afterSeq, long beforeSeq,
		EventFilter filter, @Page.Only int limit, HistoryView view, @Nullable EventPoint point) {

	/** Creates a query of the full history of the session that has the name now. */
	public static EventQuery of(boolean newestFirst, int limit) {
		return new EventQuery(null, newestFirst, 0, Long.MAX_VALUE, EventFilter.ALL, limit, HistoryView.FULL, null);
	}

	/** Returns this query for the session with this key only. */
	public EventQuery ofSession(UUID session) {
		return new EventQuery(session, this.newestFirst, this.afterSeq, this.beforeSeq, this.filter, this.limit,
				this.view, this.point);
	}

	/** Returns this query for the events between two seqs, without either. */
	public EventQuery between(long after, long before) {
		return new EventQuery(this.sessionKey, this.newestFirst, after, before, this.filter, this.limit, this.view,
				this.point);
	}

	/** Returns this query with another filter. */
	public EventQuery filtered(EventFilter other) {
		return new EventQuery(this.sessionKey, this.newestFirst, this.afterSeq, this.beforeSeq, other, this.limit,
				this.view, this.point);
	}

	/** Returns this query with another view. */
	public EventQuery withView(HistoryView other) {
		return new EventQuery(this.sessionKey, this.newestFirst, this.afterSeq, this.beforeSeq, this.filter, this.limit,
				other, this.point);
	}

	/** Returns this query for the page after an event. */
	public EventQuery after(long seq) {
		return this.newestFirst ? between(this.afterSeq, Math.min(seq, this.beforeSeq))
				: between(Math.max(seq, this.afterSeq), this.beforeSeq);
	}

	/** Returns this query for what follows a point, in the session of the point only. */
	public EventQuery after(EventPoint last) {
		EventQuery rest = after(last.seq());
		return new EventQuery(last.sessionKey(), rest.newestFirst, rest.afterSeq, rest.beforeSeq, rest.filter,
				rest.limit, rest.view, last);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	EventQuery atMost(int size) {
		return (this.limit <= size) ? this : new EventQuery(this.sessionKey, this.newestFirst, this.afterSeq,
				this.beforeSeq, this.filter, size, this.view, this.point);
	}

	/**
	 * Selects events of a list.
	 *
	 * @param since only events with a timestamp at this microsecond or later;
	 * {@code null} for all
	 * @param author only events of this author; {@code null} for all
	 * @param invocationId only events of this invocation; {@code null} for all
	 */
	public record EventFilter(@Nullable Instant since, @Nullable String author, @Nullable String invocationId) {

		/** Selects all events. */
		public static final EventFilter ALL = new EventFilter(null, null, null);

		/**
		 * Selects events with a timestamp at a microsecond or later; {@code null} for
		 * all.
		 */
		public static EventFilter since(@Nullable Instant time) {
			return new EventFilter(time, null, null);
		}

		public EventFilter {
			since = Timestamps.toMicroseconds(since);
		}

	}

	/**
	 * A page of the events of a session.
	 *
	 * @param sessionKey the key of the session
	 * @param page the events
	 */
	public record EventPage(UUID sessionKey, Page<Event> page) {

		/** Returns the events. */
		public List<Event> items() {
			return this.page.items();
		}

		/** Returns whether more events follow. */
		public boolean more() {
			return this.page.more();
		}

		/** Returns the point right after the last event; there is one if more follow. */
		public EventPoint end() {
			return EventPoint.after(this.sessionKey, this.page.last());
		}

	}

	/**
	 * Which events of a session to list, in the order of the time that their senders gave
	 * them; events of the same microsecond by seq.
	 *
	 * @param newestFirst newest first instead of oldest first
	 * @param from only events of this microsecond or later; {@code null} for all
	 * @param until only events of this microsecond or earlier; {@code null} for all
	 * @param after the position after which the page begins, {@code null} for the first
	 * page
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

}
