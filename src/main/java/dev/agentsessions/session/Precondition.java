package dev.agentsessions.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * What the caller takes for the newest state of a session. An append is refused when
 * something that is given differs from what is stored.
 *
 * @param revision the revision, {@code null} for any
 * @param lastUpdateTime the last update time, rounded to microseconds, {@code null} for
 * any
 */
public record Precondition(@Nullable Long revision, @Nullable Instant lastUpdateTime) {

	/** Append after whatever came before. */
	public static final Precondition NONE = new Precondition(null, null);

	public Precondition {
		if (lastUpdateTime != null) {
			lastUpdateTime = lastUpdateTime.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
		}
	}

	public boolean isNone() {
		return this.revision == null && this.lastUpdateTime == null;
	}

	/** Whether an append to a session at this revision and time may go ahead. */
	public boolean holds(long storedRevision, Instant storedLastUpdateTime) {
		return (this.revision == null || this.revision == storedRevision)
				&& (this.lastUpdateTime == null || this.lastUpdateTime.equals(storedLastUpdateTime));
	}

}
