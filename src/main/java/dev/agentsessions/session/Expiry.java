package dev.agentsessions.session;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The expiry of a session as a caller sends it: a time, or a duration from the moment at
 * which the database gets it. Only the clock of the database counts, so a duration
 * becomes a time there.
 *
 * @param expireTime the time, {@code null} for a duration
 * @param ttl the duration, {@code null} for a time
 */
public record Expiry(@Nullable Instant expireTime, @Nullable Duration ttl) {

	private static final String IN_THE_FUTURE = "must be in the future";

	/** The session does not expire. */
	public static final Expiry NEVER = at(SessionDetails.NEVER);

	/** Returns an expiry at a time. */
	public static Expiry at(Instant expireTime) {
		return new Expiry(expireTime, null);
	}

	/**
	 * Returns an expiry after a duration, counted from when the database gets it.
	 * @throws SessionException.InvalidArgument if the duration is shorter than a
	 * microsecond, the unit of the database
	 */
	public static Expiry after(Duration ttl) {
		if (ttl.compareTo(Duration.of(1, ChronoUnit.MICROS)) < 0) {
			throw new SessionException.InvalidArgument("ttl", IN_THE_FUTURE);
		}
		return new Expiry(null, ttl);
	}

	/**
	 * Returns the time of the expiry.
	 * @param now the time of the database
	 * @throws SessionException.InvalidArgument if the time has passed
	 */
	Instant from(Instant now) {
		Instant expiry = (this.ttl != null) ? now.plus(this.ttl) : Objects.requireNonNull(this.expireTime);
		if (!expiry.isAfter(now)) {
			throw new SessionException.InvalidArgument((this.ttl != null) ? "ttl" : "expireTime", IN_THE_FUTURE);
		}
		return expiry;
	}

}
