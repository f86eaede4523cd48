package dev.agentsessions.session;

import dev.agentsessions.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * When a session is to end, as a request says it: at a time, or so long after the
 * database has the request. Only the clock of the database counts, so it becomes a time
 * there.
 *
 * @param time the time, {@code null} for a duration
 * @param ttl the duration, {@code null} for a time
 */
public record Expiry(@Nullable Instant time, @Nullable Duration ttl) {

	/** The field that names a time. */
	public static final String EXPIRE_TIME = "expireTime";

	/** The field that names a duration. */
	public static final String TTL = "ttl";

	/** The session stays. */
	public static final Expiry NEVER = new Expiry(SessionDetails.NEVER, null);

	private static final Pattern DURATION = Pattern.compile("(\\d{1,11}(?:\\.\\d{1,9})?)s?");

	private static final BigDecimal NANOS = BigDecimal.TEN.pow(9);

	/** The end of a session so long after the database has the request. */
	public static Expiry after(Duration ttl) {
		return new Expiry(null, ttl);
	}

	/**
	 * Reads the end of a session from the fields of a request.
	 * @return the end, {@link #NEVER} if a field is JSON null, {@code null} if there is
	 * none
	 * @throws SessionException.InvalidArgument if both fields are there, or a duration is
	 * none
	 */
	public static @Nullable Expiry of(JsonObject fields) {
		JsonText expireTime = fields.get(EXPIRE_TIME);
		JsonText ttl = fields.get(TTL);
		if (expireTime != null && ttl != null) {
			throw new SessionException.InvalidArgument(TTL, "must not stand beside " + EXPIRE_TIME);
		}
		if (expireTime != null) {
			return new Expiry(Timestamps.parse(EXPIRE_TIME, text(EXPIRE_TIME, expireTime)), null);
		}
		if (ttl != null) {
			return after(Duration.ofNanos(nanos(text(TTL, ttl))));
		}
		return isRemoved(fields, EXPIRE_TIME) || isRemoved(fields, TTL) ? NEVER : null;
	}

	/**
	 * The time it means.
	 * @param now the time of the database
	 * @throws SessionException.InvalidArgument if it has passed
	 */
	Instant at(Instant now) {
		Instant end = (this.ttl != null) ? now.plus(this.ttl) : Objects.requireNonNull(this.time);
		if (!end.isAfter(now)) {
			throw new SessionException.InvalidArgument((this.ttl != null) ? TTL : EXPIRE_TIME,
					"must lie in the future");
		}
		return end;
	}

	private static long nanos(String ttl) {
		Matcher duration = DURATION.matcher(ttl);
		if (!duration.matches()) {
			throw new SessionException.InvalidArgument(TTL, "must be a number of seconds, such as \"3600s\"");
		}
		BigDecimal nanos = new BigDecimal(duration.group(1)).multiply(NANOS);
		return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
	}

	private static String text(String field, JsonText value) {
		return value.isString() ? JsonObject.string(field, value) : value.text();
	}

	private static boolean isRemoved(JsonObject fields, String name) {
		return JsonText.NULL.equals(fields.members().get(name));
	}

}
