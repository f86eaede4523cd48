package dev.agentsessions.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * What the caller takes for the newest state of a session. What they want to do is
 * refused when something that is given differs from what is stored.
 *
 * @param revision the revision, {@code null} for any
 * @param createTime when the session was created, {@code null} for any time: one of the
 * same names may have been deleted meanwhile
 * @param detailsRevision how often its details were changed, {@code null} for any number
 * @param lastUpdateTime the last update time, rounded to microseconds, {@code null} for
 * any
 */
public record Precondition(@Nullable Long revision, @Nullable Instant createTime, @Nullable Integer detailsRevision,
		@Nullable Instant lastUpdateTime) {

	/** Whatever came before. */
	public static final Precondition NONE = new Precondition(null, null);

	/** Nothing that is stored. */
	public static final Precondition NEVER = new Precondition(-1L, null);

	public Precondition {
		if (lastUpdateTime != null) {
			Instant rounded = lastUpdateTime.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
			// No session can have such a time, and no column of the database
			lastUpdateTime = rounded.isAfter(Timestamps.LAST) ? lastUpdateTime.truncatedTo(ChronoUnit.MICROS) : rounded;
		}
	}

	/** A revision and a last update time, each {@code null} for any. */
	public Precondition(@Nullable Long revision, @Nullable Instant lastUpdateTime) {
		this(revision, null, null, lastUpdateTime);
	}

	/** This very version of a session. */
	public static Precondition of(SessionVersion version) {
		return new Precondition(version.revision(), version.createTime(), version.detailsRevision(), null);
	}

	/** The same, and a last update time. */
	public Precondition after(Instant time) {
		return new Precondition(this.revision, this.createTime, this.detailsRevision, time);
	}

	/** The same for what does not depend on the details of the session. */
	public Precondition withoutDetails() {
		return new Precondition(this.revision, this.createTime, null, this.lastUpdateTime);
	}

	public boolean isNone() {
		return equals(NONE);
	}

	/** Whether it is met by a session of this version and time. */
	public boolean holds(SessionVersion stored, Instant storedLastUpdateTime) {
		return isMeant(stored) && (this.revision == null || this.revision == stored.revision())
				&& (this.detailsRevision == null || this.detailsRevision == stored.detailsRevision())
				&& (this.lastUpdateTime == null || this.lastUpdateTime.equals(storedLastUpdateTime));
	}

	/** Whether this session is meant, in whatever version, and no former one. */
	public boolean isMeant(SessionVersion stored) {
		return this.createTime == null || this.createTime.equals(stored.createTime());
	}

}
