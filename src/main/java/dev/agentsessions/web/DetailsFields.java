package dev.agentsessions.web;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The fields of a request with the session details (display name, labels, expiry). They
 * are the same in all dialects.
 */
public final class DetailsFields {

	/** The display name. */
	public static final String DISPLAY_NAME = "displayName";

	/** The labels: free keys and values. */
	public static final String LABELS = "labels";

	/** The expiry of the session, as a time. */
	public static final String EXPIRE_TIME = "expireTime";

	/** The expiry of the session, as a duration from now on. */
	public static final String TTL = "ttl";

	private static final Set<String> NAMES = Set.of(DISPLAY_NAME, LABELS, EXPIRE_TIME, TTL);

	private static final Pattern DURATION = Pattern.compile("(\\d{1,11}(?:\\.\\d{1,9})?)s?");

	private static final BigDecimal NANOS_PER_SECOND = BigDecimal.TEN.pow(9);

	private DetailsFields() {
	}

	/**
	 * Reads the fields. JSON null removes the display name, the labels or the expiry.
	 * @param fields the fields of a request, in camelCase
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 * @throws SessionException.InvalidArgument if a time or a duration is invalid, or if
	 * both are present
	 */
	public static SessionDetails read(JsonObject fields) {
		return new SessionDetails(isNull(fields, DISPLAY_NAME) ? "" : fields.string(DISPLAY_NAME), labels(fields),
				expiry(fields));
	}

	/** Returns the names of all these fields, and of others beside them. */
	public static Set<String> and(String... others) {
		return Stream.concat(NAMES.stream(), Stream.of(others)).collect(Collectors.toUnmodifiableSet());
	}

	/** Adds the details of a session to the members of a JSON object. */
	public static void write(SessionDetails details, Map<String, JsonText> members) {
		if (details.expireTime() != null) {
			members.put(EXPIRE_TIME, JsonStrings.of(details.expireTime().toString()));
		}
		if (details.displayName() != null) {
			members.put(DISPLAY_NAME, JsonStrings.of(details.displayName()));
		}
		if (details.labels() != null) {
			members.put(LABELS, JsonObject.ofTexts(new TreeMap<>(details.labels())).toJson());
		}
	}

	private static @Nullable Map<String, String> labels(JsonObject fields) {
		if (!fields.members().containsKey(LABELS)) {
			return null;
		}
		JsonObject labels = fields.object(LABELS);
		Map<String, String> texts = new LinkedHashMap<>();
		if (labels != null) {
			labels.members().forEach((key, value) -> texts.put(key, value.string(LABELS + "." + key)));
		}
		return texts;
	}

	/**
	 * Reads the expiry. JSON null means that it never comes.
	 * @param fields the fields of a request, in camelCase
	 * @return {@code null} if no field says when
	 * @throws SessionException.InvalidArgument if a time or a duration is invalid, or if
	 * both are present
	 */
	public static @Nullable Expiry expiry(JsonObject fields) {
		JsonText expireTime = fields.get(EXPIRE_TIME);
		JsonText ttl = fields.get(TTL);
		if (expireTime != null && ttl != null) {
			throw new SessionException.InvalidArgument(TTL, "cannot be used together with " + EXPIRE_TIME);
		}
		if (expireTime != null) {
			return Expiry.at(Timestamps.parse(EXPIRE_TIME, expireTime.stringOrText()));
		}
		if (ttl != null) {
			return Expiry.after(duration(ttl.stringOrText()));
		}
		return isNull(fields, EXPIRE_TIME) || isNull(fields, TTL) ? Expiry.NEVER : null;
	}

	/**
	 * Parses a duration.
	 * @param seconds a number of seconds, with or without {@code s} at the end
	 * @throws SessionException.InvalidArgument if the text is not a number of seconds
	 */
	public static Duration duration(String seconds) {
		Matcher duration = DURATION.matcher(seconds);
		if (!duration.matches()) {
			throw new SessionException.InvalidArgument(TTL, "must be a number of seconds, such as \"3600s\"");
		}
		BigDecimal nanos = new BigDecimal(duration.group(1)).multiply(NANOS_PER_SECOND);
		return Duration.ofNanos(nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
	}

	private static boolean isNull(JsonObject fields, String name) {
		return JsonText.NULL.equals(fields.members().get(name));
	}

}
