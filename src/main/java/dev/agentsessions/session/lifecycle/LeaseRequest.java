package dev.agentsessions.session.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;

/**
 * A request for the lease of a session, or to renew it.
 *
 * @param holder the name of the holder, 1 to 512 characters: of the turn, or of any work
 * that must run alone. {@code null} leaves the holder as it is
 * @param ttl the duration from now on, {@link #MIN_TTL} to {@link #MAX_TTL}
 * @param exclusive whether only the holder may append; {@code null} leaves it as it is,
 * and is {@code false} for a new lease
 */
public record LeaseRequest(@Nullable String holder, Duration ttl, @Nullable Boolean exclusive) {

	/** A shorter lease would expire while the response is on its way. */
	public static final Duration MIN_TTL = Duration.ofSeconds(1);

	/** Maximum time that a caller waits for a holder that is gone. */
	public static final Duration MAX_TTL = Duration.ofHours(1);

	public LeaseRequest {
		if (holder != null) {
			Identifiers.checkText("holder", holder);
		}
		if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
			throw new SessionException.InvalidArgument("ttl",
					"must be between %d and %d seconds".formatted(MIN_TTL.toSeconds(), MAX_TTL.toSeconds()));
		}
	}

	/** Returns the expiry of a lease that is granted now. */
	Instant endFrom(Instant now) {
		return now.plus(this.ttl).truncatedTo(ChronoUnit.MICROS);
	}

}
