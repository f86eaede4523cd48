package dev.agentsessions.session.lifecycle;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/**
 * Grants leases, so that a session has one turn at a time: a caller that asks for the
 * lease before a turn learns at once that another holder has it.
 */
@Service
public class LeaseService {

	private final Store store;

	private final AccessPolicy access;

	LeaseService(Store store, AccessPolicy access) {
		this.store = store;
		this.access = access;
	}

	/**
	 * Grants or renews the lease of a session to a caller that may append to it.
	 * @param precondition the precondition for the session; its lease is the one to renew
	 * @throws SessionException.NotFound if there is no such session
	 * @throws LeaseException.Busy if another holder has the lease
	 * @throws LeaseException.Lost if the lease to renew is gone
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	public Lease acquire(SessionName name, LeaseRequest request, Precondition precondition) {
		this.access.check(Access.WRITE, name);
		return this.store.acquire(name, request, precondition);
	}

	/**
	 * Releases the lease of a session. A lease that is gone already stays as it is.
	 * @param number the number of the lease
	 * @throws SessionException.NotFound if there is no such session
	 */
	public void release(SessionName name, long number) {
		this.access.check(Access.WRITE, name);
		this.store.release(name, number);
	}

	/**
	 * Grants leases. The guarantees of
	 * {@link dev.agentsessions.session.lifecycle.SessionService.Store} hold here, too.
	 *
	 * <p>
	 * Every store of sessions checks leases. A request under a {@link Lease} (see
	 * {@link Precondition}) is refused with {@link LeaseException.Lost} once the lease is
	 * gone. An append under no lease is refused with {@link LeaseException.Busy} while a
	 * holder has an exclusive one. Replays succeed in both cases. A lease is deleted with
	 * its session.
	 */
	public interface Store {

		/**
		 * Grants the lease of a session, or renews the one that the precondition names.
		 * @throws SessionException.NotFound if there is no such session
		 * @throws LeaseException if another holder has it, or the one to renew is gone
		 * @throws SessionException.Stale if the precondition does not hold
		 */
		Lease acquire(SessionName name, LeaseRequest request, Precondition precondition);

		/**
		 * Releases a lease if it is the newest of the session.
		 * @param number the number of the lease
		 * @throws SessionException.NotFound if there is no such session
		 */
		void release(SessionName name, long number);

	}

	/** A refusal because of the lease of a session. Nothing was written. */
	public static abstract sealed class LeaseException extends SessionException {

		private LeaseException(Kind kind, String message) {
			super(kind, message);
		}

		/** Another holder has the lease. A retry may succeed after its expiry. */
		public static final class Busy extends LeaseException {

			private final String holder;

			private final Instant end;

			private final Duration wait;

			/**
			 * Creates the exception.
			 * @param holder the holder of the lease
			 * @param end its expiry, unless the holder renews it
			 * @param now the time of the store
			 */
			public Busy(String holder, Instant end, Instant now) {
				super(Kind.SESSION_BUSY, "Another holder has the lease of the session");
				this.holder = holder;
				this.end = end;
				this.wait = Duration.between(now, end);
			}

			/**
			 * Returns the holder of the lease and its expiry by the clock of the store,
			 * unless the holder renews it.
			 */
			@Override
			public Map<String, Object> details() {
				Map<String, Object> details = new LinkedHashMap<>();
				details.put("holder", this.holder);
				details.put("expireTime", Timestamps.toSeconds(this.end));
				return details;
			}

			/**
			 * Returns the number of whole seconds until its expiry, unless the holder
			 * renews it; at least 1.
			 */
			@Override
			public OptionalLong retryAfter() {
				return OptionalLong.of(Math.max(1, this.wait.plusMillis(999).toSeconds()));
			}

		}

		/**
		 * The lease is gone: it has expired, was released, or another one was granted.
		 */
		public static final class Lost extends LeaseException {

			public Lost(long number) {
				super(Kind.LEASE_LOST, "The lease " + number
						+ " is gone: it has expired, was released, or another one was granted. Nothing was written.");
			}

		}

	}

	/**
	 * A request for the lease of a session, or to renew it.
	 *
	 * @param holder the name of the holder, 1 to 512 characters: of the turn, or of any
	 * work that must run alone. {@code null} leaves the holder as it is
	 * @param ttl the duration from now on, {@link #MIN_TTL} to {@link #MAX_TTL}
	 * @param exclusive whether only the holder may append; {@code null} leaves it as it
	 * is, and is {@code false} for a new lease
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

	/**
	 * The newest lease of a session. Only the clock of the store decides whether it is
	 * held.
	 *
	 * <p>
	 * Its number proves that it is held and is not an earlier lease. So a holder that
	 * paused until after the expiry, or that got the lease twice, notices it. Numbers of
	 * a session only grow, each by a random step, so no caller can guess the number of
	 * another one. They begin at the time of the store, in microseconds since 1970, so
	 * the numbers of a deleted session are not valid for a later session with the same
	 * name. A program that counts in binary floating point numbers (2^53) can represent
	 * them for at least 1.6 million leases.
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
		 * Returns the lease after a request for it. A request with the number of a lease
		 * that is held renews it. Without a number, another caller has to wait for the
		 * expiry; the holder itself, which may have lost a response or its memory of it,
		 * gets a new lease instead.
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
			return new Lease(this.number, (request.holder() != null) ? request.holder() : this.holder,
					request.endFrom(now), Objects.requireNonNullElse(request.exclusive(), this.exclusive));
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

}
