package dev.agentsessions.session.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/** A refusal because of the lease of a session. Nothing was written. */
public abstract sealed class LeaseException extends SessionException {

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
		 * Returns the number of whole seconds until its expiry, unless the holder renews
		 * it; at least 1.
		 */
		@Override
		public OptionalLong retryAfter() {
			return OptionalLong.of(Math.max(1, this.wait.plusMillis(999).toSeconds()));
		}

	}

	/** The lease is gone: it has expired, was released, or another one was granted. */
	public static final class Lost extends LeaseException {

		public Lost(long number) {
			super(Kind.LEASE_LOST, "The lease " + number
					+ " is gone: it has expired, was released, or another one was granted. Nothing was written.");
		}

	}

}
