package dev.agentsessions.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * When a session is to end, as a caller says it: at a time, or so long after the database
 * has heard of it. Only the clock of the database counts, so it becomes a time there.
 *
 * @param expireTime the time, {@code null} for a duration
 * @param ttl the duration, {@code null} for a time
 */
public record Expiry(@Nullable Instant expireTime, @Nullable Duration ttl) {

	/** The session stays. */
	public static final Expiry NEVER = at(SessionDetails.NEVER);

	/** The end of a session at a time. */
	public static Expiry at(Instant expireTime) {
		return new Expiry(expireTime, null);
	}

	/** The end of a session so long after the database has heard of it. */
	public static Expiry after(Duration ttl) {
		return new Expiry(null, ttl);
	}

	/**
	 * The time it means.
	 * @param now the time of the database
	 * @throws SessionException.InvalidArgument if it has passed
	 */
	Instant from(Instant now) {
		Instant end = (this.ttl != null) ? now.plus(this.ttl) : Objects.requireNonNull(this.expireTime);
		if (!end.isAfter(now)) {
			throw new SessionException.InvalidArgument((this.ttl != null) ? "ttl" : "expireTime",
					"must lie in the future");
		}
		return end;
	}

}
