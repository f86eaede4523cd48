package dev.agentsessions.session;

import dev.agentsessions.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * When a session ends, as requests say it: at a time, or so many seconds after now.
 */
public final class Expiry {

	/** The field that names a time. */
	public static final String EXPIRE_TIME = "expireTime";

	/** The field that names a duration. */
	public static final String TTL = "ttl";

	private static final Pattern DURATION = Pattern.compile("(\\d{1,11}(?:\\.\\d{1,9})?)s?");

	private static final BigDecimal NANOS = BigDecimal.TEN.pow(9);

	private Expiry() {
	}

	/**
	 * Reads the end of a session from the fields of a request.
	 * @return the time, {@link SessionDetails#NEVER} if a field is JSON null,
	 * {@code null} if there is none
	 * @throws SessionException.InvalidArgument if it has passed, or both fields are there
	 */
	public static @Nullable Instant of(JsonObject fields) {
		JsonText expireTime = fields.get(EXPIRE_TIME);
		JsonText ttl = fields.get(TTL);
		if (expireTime != null && ttl != null) {
			throw new SessionException.InvalidArgument(TTL, "must not stand beside " + EXPIRE_TIME);
		}
		if (expireTime != null) {
			return future(EXPIRE_TIME, Timestamps.parse(EXPIRE_TIME, text(EXPIRE_TIME, expireTime)));
		}
		if (ttl != null) {
			return future(TTL, Instant.now().plusNanos(nanos(text(TTL, ttl))));
		}
		return isRemoved(fields, EXPIRE_TIME) || isRemoved(fields, TTL) ? SessionDetails.NEVER : null;
	}

	private static Instant future(String field, Instant time) {
		if (!time.isAfter(Instant.now())) {
			throw new SessionException.InvalidArgument(field, "must lie in the future");
		}
		return time;
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
