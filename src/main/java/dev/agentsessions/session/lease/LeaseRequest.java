package dev.agentsessions.session.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;

/**
 * What somebody asks for who wants the lease of a session, or to keep it for longer.
 *
 * @param holder who asks, 1 to 512 characters: the name of the turn, or of whatever can
 * take only one at a time. {@code null} leaves the holder as it is
 * @param ttl for how long from now on, {@link #SHORTEST} to {@link #LONGEST}
 * @param exclusive whether only the holder may append; {@code null} leaves it as it is,
 * and is {@code false} for a new lease
 */
public record LeaseRequest(@Nullable String holder, Duration ttl, @Nullable Boolean exclusive) {

	/** A shorter one would end while it is on its way. */
	public static final Duration SHORTEST = Duration.ofSeconds(1);

	/** For longer, nobody has to wait for a holder that is gone. */
	public static final Duration LONGEST = Duration.ofHours(1);

	public LeaseRequest {
		if (holder != null) {
			Identifiers.checkText("holder", holder);
		}
		if (ttl.compareTo(SHORTEST) < 0 || ttl.compareTo(LONGEST) > 0) {
			throw new SessionException.InvalidArgument("ttl",
					"must be between %d and %d seconds".formatted(SHORTEST.toSeconds(), LONGEST.toSeconds()));
		}
	}

	/** When a lease ends that is granted now. */
	Instant endFrom(Instant now) {
		return now.plus(this.ttl).truncatedTo(ChronoUnit.MICROS);
	}

}
