package dev.agentsessions.session.lifecycle;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/**
 * The newest lease of a session. Only the clock of the store decides whether it is held.
 *
 * <p>
 * Its number proves that it is held and is not an earlier lease. So a holder that paused
 * until after the expiry, or that got the lease twice, notices it. Numbers of a session
 * only grow, each by a random step, so no caller can guess the number of another one.
 * They begin at the time of the store, in microseconds since 1970, so the numbers of a
 * deleted session are not valid for a later session with the same name. A program that
 * counts in binary floating point numbers (2^53) can represent them for at least 1.6
 * million leases.
 *
 * @param number the number of the lease, 0 if there was none
 * @param holder its holder, {@code null} for none
 * @param end its expiry, in microseconds, {@code null} if it has no holder
 * @param exclusive whether only its holder may append
 */
public record Lease(long number, @Nullable String holder, @Nullable Instant end, boolean exclusive) {

	private static final long MAX_STEP = 1L << 32;

	private static final SecureRandom RANDOM = new SecureRandom();

	/** The session never had a lease. */
	public static final Lease NONE = new Lease(0, null, null, false);

	/**
	 * Returns the lease after a request for it. A request with the number of a lease that
	 * is held renews it. Without a number, another caller has to wait for the expiry; the
	 * holder itself, which may have lost a response or its memory of it, gets a new lease
	 * instead.
	 * @param request the request; it names a holder unless a number is sent
	 * @param sentNumber the number that the caller sends, {@code null} for none
	 * @param now the time of the store
	 * @throws LeaseException.Lost if the lease with this number is gone
	 * @throws LeaseException.Busy if another holder has it
	 */
	public Lease acquired(LeaseRequest request, @Nullable Long sentNumber, Instant now) {
		if (sentNumber != null) {
			check(sentNumber, now);
			return renewed(request, now);
		}
		if (isHeld(now) && !Objects.equals(request.holder(), this.holder)) {
			throw busy(now);
		}
		long past = Math.max(this.number, ChronoUnit.MICROS.between(Instant.EPOCH, now));
		return new Lease(past + RANDOM.nextLong(1, MAX_STEP), Objects.requireNonNull(request.holder()),
				request.endFrom(now), Objects.requireNonNullElse(request.exclusive(), false));
	}

	private Lease renewed(LeaseRequest request, Instant now) {
		return new Lease(this.number, (request.holder() != null) ? request.holder() : this.holder, request.endFrom(now),
				Objects.requireNonNullElse(request.exclusive(), this.exclusive));
	}

	/**
	 * Returns the lease after its holder has released it; any other number changes
	 * nothing.
	 */
	public Lease released(long sentNumber) {
		return (sentNumber == this.number) ? new Lease(this.number, null, null, false) : this;
	}

	/**
	 * Refuses a request under a lease that is gone.
	 * @param sentNumber the number of the lease
	 * @param now the time of the store
	 * @throws LeaseException.Lost if it has expired, was released, or another one was
	 * granted
	 */
	public void check(long sentNumber, Instant now) {
		if (sentNumber != this.number || !isHeld(now)) {
			throw new LeaseException.Lost(sentNumber);
		}
	}

	/**
	 * Refuses an append that comes under no lease.
	 * @param now the time of the store
	 * @throws LeaseException.Busy if a holder has an exclusive one
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
