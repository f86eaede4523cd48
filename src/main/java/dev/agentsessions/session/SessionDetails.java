package dev.agentsessions.session;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.SessionException.InvalidArgument;

/**
 * Display name, labels and expiry of a session. In a change, {@code null} leaves a value
 * as it is; a blank name, an empty map or the time {@link #NEVER} removes it.
 *
 * @param displayName the name to show
 * @param labels free keys and values to find the session by
 * @param expireTime the time from which on the session is gone, in microseconds
 * @param expiry the expiry in a change, until it becomes a time
 */
public record SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels,
		@Nullable Instant expireTime, @Nullable Expiry expiry) {

	/** The expire time of a session that does not expire. */
	public static final Instant NEVER = Instant.MAX;

	/** No details, or no changes. */
	public static final SessionDetails NONE = new SessionDetails(null, null);

	public SessionDetails {
		StorableText.check("displayName", displayName);
		if (labels != null) {
			labels = Map.copyOf(labels);
			labels.forEach((key, value) -> {
				StorableText.check("labels", key);
				StorableText.check("labels", value);
			});
		}
		if (expireTime != null && !expireTime.equals(NEVER)) {
			expireTime = expireTime.truncatedTo(ChronoUnit.MICROS);
		}
	}

	/** Returns details that are only a display name. */
	public static SessionDetails named(String displayName) {
		return new SessionDetails(displayName, null);
	}

	/** Creates details without an expiry. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels) {
		this(displayName, labels, null, null);
	}

	/** Creates details with an expiry. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels,
			@Nullable Instant expireTime) {
		this(displayName, labels, expireTime, null);
	}

	/** Creates a change as a request contains it. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels, @Nullable Expiry expiry) {
		this(displayName, labels, null, expiry);
	}

	/** Returns these details with an expiry as a request contains it. */
	public SessionDetails withExpiry(Expiry expiry) {
		return new SessionDetails(this.displayName, this.labels, expiry);
	}

	/** Returns these details with a time as the expiry. */
	public SessionDetails withExpireTime(@Nullable Instant expireTime) {
		return new SessionDetails(this.displayName, this.labels, expireTime);
	}

	/**
	 * Returns these details with a time in place of the expiry of a request.
	 * @param now the time of the database
	 * @throws SessionException.InvalidArgument if the time has passed
	 */
	public SessionDetails at(Instant now) {
		return (this.expiry != null) ? withExpireTime(this.expiry.from(now)) : this;
	}

	/** Returns the display name and the labels as one text. */
	public String text() {
		String name = Objects.requireNonNullElse(this.displayName, "");
		return (this.labels != null) ? name + this.labels : name;
	}

	/** Returns these details after a change. */
	public SessionDetails with(SessionDetails change) {
		boolean unnamed = change.displayName != null && change.displayName.isBlank();
		return new SessionDetails(changed(this.displayName, change.displayName, unnamed),
				(change.labels != null) ? change.labels : this.labels,
				changed(this.expireTime, change.expireTime, NEVER.equals(change.expireTime)));
	}

	private static <T> @Nullable T changed(@Nullable T current, @Nullable T change, boolean isRemoved) {
		return isRemoved ? null : (change != null) ? change : current;
	}

	/**
	 * The expiry of a session or a fact as a caller sends it: a time, or a duration from
	 * the moment at which the database gets it. Only the clock of the database counts, so
	 * a duration becomes a time there.
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
			InvalidArgument.check(ttl.compareTo(Duration.of(1, ChronoUnit.MICROS)) >= 0, "ttl", IN_THE_FUTURE);
			return new Expiry(null, ttl);
		}

		/**
		 * Returns the time of the expiry.
		 * @param now the time of the database
		 * @throws SessionException.InvalidArgument if the time has passed
		 */
		Instant from(Instant now) {
			Instant expiry = (this.ttl != null) ? now.plus(this.ttl) : Objects.requireNonNull(this.expireTime);
			InvalidArgument.check(expiry.isAfter(now), (this.ttl != null) ? "ttl" : "expireTime", IN_THE_FUTURE);
			return expiry;
		}

	}

}
