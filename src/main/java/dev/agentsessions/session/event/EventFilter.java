package dev.agentsessions.session.event;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Timestamps;

/**
 * Selects events of a list.
 *
 * @param since only events with a timestamp at this microsecond or later; {@code null}
 * for all
 * @param author only events of this author; {@code null} for all
 * @param invocationId only events of this invocation; {@code null} for all
 */
public record EventFilter(@Nullable Instant since, @Nullable String author, @Nullable String invocationId) {

	/** Selects all events. */
	public static final EventFilter ALL = new EventFilter(null, null, null);

	/**
	 * Selects events with a timestamp at a microsecond or later; {@code null} for all.
	 */
	public static EventFilter since(@Nullable Instant time) {
		return new EventFilter(time, null, null);
	}

	public EventFilter {
		since = Timestamps.toMicroseconds(since);
	}

}
