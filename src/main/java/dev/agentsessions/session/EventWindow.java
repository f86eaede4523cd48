package dev.agentsessions.session;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which events to read together with a session.
 *
 * @param recent at most so many, the newest; {@code null} for all, 0 for none
 * @param since only those stamped at this microsecond or later; {@code null} for all
 * @param view of how much of the history
 * @param fromSeq only this event and later ones; 1 for all
 */
public record EventWindow(@Nullable Integer recent, @Nullable Instant since, HistoryView view, long fromSeq) {

	/** The whole history. */
	public static final EventWindow ALL = new EventWindow(null, null);

	/** No events. */
	public static final EventWindow NONE = new EventWindow(0, null);

	public EventWindow {
		if (recent != null && recent < 0) {
			throw new IllegalArgumentException("There are no fewer than no events");
		}
		since = Timestamps.toMicroseconds(since);
	}

	/** A window without a first event. */
	public EventWindow(@Nullable Integer recent, @Nullable Instant since, HistoryView view) {
		this(recent, since, view, 1);
	}

	/** A window of the full history. */
	public EventWindow(@Nullable Integer recent, @Nullable Instant since) {
		this(recent, since, HistoryView.FULL);
	}

	/** This window of more or less of the history. */
	public EventWindow of(HistoryView other) {
		return new EventWindow(this.recent, this.since, other, this.fromSeq);
	}

	/** Whether it holds no events at all. */
	public boolean isEmpty() {
		return this.recent != null && this.recent == 0;
	}

}
