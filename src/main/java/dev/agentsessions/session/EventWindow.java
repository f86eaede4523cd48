package dev.agentsessions.session;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which events to read together with a session.
 *
 * @param recent the maximum number of events, the newest ones; {@code null} for all, 0
 * for none
 * @param since only events with a timestamp at this microsecond or later; {@code null}
 * for all
 * @param view how much of the history to read
 * @param fromSeq only this event and later ones; 1 for all
 */
public record EventWindow(@Nullable Integer recent, @Nullable Instant since, HistoryView view, long fromSeq) {

	/** The whole history. */
	public static final EventWindow ALL = new EventWindow(null, null);

	/** No events. */
	public static final EventWindow NONE = new EventWindow(0, null);

	public EventWindow {
		if (recent != null && recent < 0) {
			throw new IllegalArgumentException("recent must not be negative");
		}
		since = Timestamps.toMicroseconds(since);
	}

	/** Creates a window without a first event. */
	public EventWindow(@Nullable Integer recent, @Nullable Instant since, HistoryView view) {
		this(recent, since, view, 1);
	}

	/** Creates a window of the full history. */
	public EventWindow(@Nullable Integer recent, @Nullable Instant since) {
		this(recent, since, HistoryView.FULL);
	}

	/** Returns this window with another view. */
	public EventWindow withView(HistoryView other) {
		return new EventWindow(this.recent, this.since, other, this.fromSeq);
	}

	/** Returns whether it selects no events. */
	public boolean isEmpty() {
		return this.recent != null && this.recent == 0;
	}

	/** How much of the history of a session is read. */
	public enum HistoryView {

		/** All events. */
		FULL,

		/**
		 * The events from which ADK builds the context of a model: without rewound
		 * events, and without events that a summary replaces.
		 */
		CONTEXT

	}

}
