package dev.agentsessions.session.lease;

import java.time.Duration;
import java.time.Instant;

import dev.agentsessions.session.SessionException;

/** What is refused because of the lease of a session. Nothing was written. */
public abstract sealed class LeaseException extends SessionException {

	private LeaseException(Kind kind, String message) {
		super(kind, message);
	}

	/** Somebody else has the lease. A retry may succeed once it has ended. */
	public static final class Busy extends LeaseException {

		private final String holder;

		private final Instant end;

		private final Duration wait;

		/**
		 * Creates the exception.
		 * @param holder who has the lease
		 * @param end when it ends, if nobody renews it
		 * @param now the time of the store
		 */
		public Busy(String holder, Instant end, Instant now) {
			super(Kind.SESSION_BUSY, "Somebody else has the lease of the session");
			this.holder = holder;
			this.end = end;
			this.wait = Duration.between(now, end);
		}

		/** Who has it. */
		public String holder() {
			return this.holder;
		}

		/** When it ends, by the clock of the store, if nobody renews it. */
		public Instant end() {
			return this.end;
		}

		/** After so many whole seconds it ends, if nobody renews it; at least 1. */
		public long secondsToWait() {
			return Math.max(1, this.wait.plusMillis(999).toSeconds());
		}

	}

	/** The lease is gone: it has ended, was given back, or somebody else has it. */
	public static final class Lost extends LeaseException {

		public Lost(long number) {
			super(Kind.LEASE_LOST, "The lease " + number
					+ " is gone: it has expired, was released, or another one was granted. Nothing was written.");
		}

	}

}
