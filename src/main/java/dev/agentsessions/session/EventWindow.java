package dev.agentsessions.session;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which events to read together with a session.
 *
 * @param recent at most so many, the newest; {@code null} for all, 0 for none
 * @param since only those stamped at this microsecond or later; {@code null} for all
 */
public record EventWindow(@Nullable Integer recent, @Nullable Instant since) {

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

	/** Whether it holds no events at all. */
	public boolean isEmpty() {
		return this.recent != null && this.recent == 0;
	}

}
