package dev.agentsessions.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Session.SessionVersion;

/**
 * The state of a session that the caller expects, and the lease under which it writes. A
 * request is refused if a given value differs from the stored one.
 *
 * @param revision the revision, {@code null} for any
 * @param sessionKey the key of the session, {@code null} for any: another session may
 * have the same name by now
 * @param detailsRevision identifies its details, {@code null} for any
 * @param lastUpdateTime the last update time, rounded to microseconds, {@code null} for
 * any
 * @param lease the number of the lease that the caller must hold, {@code null} for none
 */
public record Precondition(@Nullable Long revision, @Nullable UUID sessionKey, @Nullable Integer detailsRevision,
		@Nullable Instant lastUpdateTime, @Nullable Long lease) {

	/** A precondition that every session satisfies. */
	public static final Precondition NONE = new Precondition(null, null);

	/** A precondition that no session satisfies. */
	public static final Precondition NEVER = new Precondition(-1L, null);

	public Precondition {
		if (lastUpdateTime != null) {
			Instant rounded = lastUpdateTime.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
			// Rounded up, it would be later than the latest time of a session or a column
			lastUpdateTime = rounded.isAfter(Timestamps.MAX) ? lastUpdateTime.truncatedTo(ChronoUnit.MICROS) : rounded;
		}
	}

	/** Creates a precondition, each value {@code null} for any. */
	public Precondition(@Nullable Long revision, @Nullable Instant lastUpdateTime) {
		this(revision, null, null, lastUpdateTime, null);
	}

	/** Returns the precondition that the session has exactly this version. */
	public static Precondition of(SessionVersion version) {
		return new Precondition(version.revision(), version.sessionKey(), version.detailsRevision(),
				version.lastUpdateTime(), null);
	}

	/** Returns the precondition that the session has this key, in any version. */
	public static Precondition ofSessionKey(UUID sessionKey) {
		return new Precondition(null, sessionKey, null, null, null);
	}

	/** Returns this precondition with a last update time. */
	public Precondition after(Instant time) {
		Precondition timed = new Precondition(this.revision, this.sessionKey, this.detailsRevision, time, this.lease);
		boolean contradicts = this.lastUpdateTime != null && !this.lastUpdateTime.equals(timed.lastUpdateTime);
		return contradicts ? NEVER.under(this.lease) : timed;
	}

	/** Returns this precondition under a lease, {@code null} for none. */
	public Precondition under(@Nullable Long number) {
		return new Precondition(this.revision, this.sessionKey, this.detailsRevision, this.lastUpdateTime, number);
	}

	/**
	 * Returns this precondition for requests that do not depend on the session details.
	 */
	public Precondition withoutDetails() {
		return new Precondition(this.revision, this.sessionKey, null, this.lastUpdateTime, this.lease);
	}

	/**
	 * Returns the precondition that the session has this version, whatever its details,
	 * under this lease.
	 */
	public Precondition at(SessionVersion version) {
		return of(version).withoutDetails().under(this.lease);
	}

	/** Returns this precondition for a session of any version: only the lease stays. */
	public Precondition withoutVersion() {
		return NONE.under(this.lease);
	}

	/** Returns whether every session satisfies it, regardless of leases. */
	public boolean isNone() {
		return under(null).equals(NONE);
	}

	/** Returns whether a session of this version satisfies it, regardless of leases. */
	public boolean isSatisfiedBy(SessionVersion stored) {
		return appliesTo(stored) && (this.revision == null || this.revision == stored.revision())
				&& (this.detailsRevision == null || this.detailsRevision == stored.detailsRevision())
				&& (this.lastUpdateTime == null || this.lastUpdateTime.equals(stored.lastUpdateTime()));
	}

	/** Returns whether it is about this session, in any version. */
	public boolean appliesTo(SessionVersion stored) {
		return appliesTo(stored.sessionKey());
	}

	/**
	 * Returns whether it is about the session with this key, and no other with the same
	 * name.
	 */
	public boolean appliesTo(UUID storedSessionKey) {
		return this.sessionKey == null || this.sessionKey.equals(storedSessionKey);
	}

}
