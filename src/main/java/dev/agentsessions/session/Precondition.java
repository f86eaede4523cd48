package dev.agentsessions.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.lease.Lease;

/**
 * What the caller takes for the newest state of a session, and the lease under which they
 * write. What they want to do is refused when something that is given differs from what
 * is stored.
 *
 * @param revision the revision, {@code null} for any
 * @param birth which session is meant, {@code null} for any: another one of the same
 * names may have taken its place
 * @param detailsRevision how often its details were changed, {@code null} for any number
 * @param lastUpdateTime the last update time, rounded to microseconds, {@code null} for
 * any
 * @param lease the number of the {@link Lease} that has to be held, {@code null} for none
 */
public record Precondition(@Nullable Long revision, @Nullable UUID birth, @Nullable Integer detailsRevision,
		@Nullable Instant lastUpdateTime, @Nullable Long lease) {

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
		this(revision, null, null, lastUpdateTime, null);
	}

	/** This very version of a session. */
	public static Precondition of(SessionVersion version) {
		return new Precondition(version.revision(), version.birth(), version.detailsRevision(), null, null);
	}

	/** The same, and a last update time. */
	public Precondition after(Instant time) {
		return new Precondition(this.revision, this.birth, this.detailsRevision, time, this.lease);
	}

	/** The same under a lease, {@code null} for none. */
	public Precondition under(@Nullable Long number) {
		return new Precondition(this.revision, this.birth, this.detailsRevision, this.lastUpdateTime, number);
	}

	/** The same for what does not depend on the details of the session. */
	public Precondition withoutDetails() {
		return new Precondition(this.revision, this.birth, null, this.lastUpdateTime, this.lease);
	}

	/** Whether it is met by any session, as far as no lease is concerned. */
	public boolean isNone() {
		return under(null).equals(NONE);
	}

	/** Whether it is met by a session of this version and time, under whatever lease. */
	public boolean holds(SessionVersion stored, Instant storedLastUpdateTime) {
		return isMeant(stored) && (this.revision == null || this.revision == stored.revision())
				&& (this.detailsRevision == null || this.detailsRevision == stored.detailsRevision())
				&& (this.lastUpdateTime == null || this.lastUpdateTime.equals(storedLastUpdateTime));
	}

	/** Whether this session is meant, in whatever version, and no former one. */
	public boolean isMeant(SessionVersion stored) {
		return isMeant(stored.birth());
	}

	/** Whether this session is meant, and none that it has taken the place of. */
	public boolean isMeant(UUID storedBirth) {
		return this.birth == null || this.birth.equals(storedBirth);
	}

}
