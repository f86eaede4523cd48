package dev.agentsessions.session.lease;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The newest lease of a session: whose turn it is. Only the clock of the store says
 * whether it is held.
 *
 * <p>
 * Its number proves that it is held and not one of before, so a holder that slept through
 * its end, or was given the lease twice, finds out. Numbers of a session only grow, each
 * by a step that is random, so that no caller finds out another one's number. They begin
 * at the time of the store, in microseconds since 1970, so that those of a session that
 * was deleted fit no later one of the same names. A program that counts in binary
 * floating point numbers (2^53) can hold them for more than three million leases.
 *
 * @param number which lease it is, 0 if there was none
 * @param holder who has it, {@code null} if nobody has
 * @param end from when on nobody has it, in microseconds, {@code null} if nobody has
 * @param exclusive whether only its holder may append
 */
public record Lease(long number, @Nullable String holder, @Nullable Instant end, boolean exclusive) {

	private static final long LONGEST_STEP = 1L << 32;

	private static final SecureRandom RANDOM = new SecureRandom();

	/** There never was one. */
	public static final Lease NONE = new Lease(0, null, null, false);

	/**
	 * The lease after somebody has asked for it. Whoever shows the number of a lease that
	 * is held renews it. Without a number, somebody else has to wait for its end; its
	 * holder, who may have lost an answer or the memory of it, gets another one instead.
	 * @param request what is asked for; it names a holder unless a number is shown
	 * @param shown the number that is shown, {@code null} for none
	 * @param now the time of the store
	 * @throws LeaseException.Lost if the lease with this number is gone
	 * @throws LeaseException.Busy if somebody else has it
	 */
	public Lease acquired(LeaseRequest request, @Nullable Long shown, Instant now) {
		if (shown != null) {
			check(shown, now);
			return renewed(request, now);
		}
		if (isHeld(now) && !Objects.equals(request.holder(), this.holder)) {
			throw busy(now);
		}
		long past = Math.max(this.number, ChronoUnit.MICROS.between(Instant.EPOCH, now));
		return new Lease(past + RANDOM.nextLong(1, LONGEST_STEP), Objects.requireNonNull(request.holder()),
				request.endFrom(now), Objects.requireNonNullElse(request.exclusive(), false));
	}

	private Lease renewed(LeaseRequest request, Instant now) {
		return new Lease(this.number, (request.holder() != null) ? request.holder() : this.holder, request.endFrom(now),
				Objects.requireNonNullElse(request.exclusive(), this.exclusive));
	}

	/** The lease after its holder has given it back; any other number changes nothing. */
	public Lease released(long shown) {
		return (shown == this.number) ? new Lease(this.number, null, null, false) : this;
	}

	/**
	 * Refuses what is done under a lease that is gone.
	 * @param shown the number of the lease
	 * @param now the time of the store
	 * @throws LeaseException.Lost if it has ended, was given back or taken by another
	 */
	public void check(long shown, Instant now) {
		if (shown != this.number || !isHeld(now)) {
			throw new LeaseException.Lost(shown);
		}
	}

	/**
	 * Refuses an append that comes under no lease.
	 * @param now the time of the store
	 * @throws LeaseException.Busy if somebody has an exclusive one
	 */
	public void checkOpen(Instant now) {
		if (this.exclusive && isHeld(now)) {
			throw busy(now);
		}
	}

	private boolean isHeld(Instant now) {
		return this.end != null && this.end.isAfter(now);
	}

	private LeaseException.Busy busy(Instant now) {
		return new LeaseException.Busy(Objects.requireNonNull(this.holder), Objects.requireNonNull(this.end), now);
	}

}
