package dev.agentsessions.adk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionVersion;

/**
 * The version of a session as the HTTP header {@code ETag}, and the way back:
 * {@code "<revision>.<create time>"}, the time in microseconds since 1970 with base 36,
 * and {@code .<n>} behind it once its details were changed n times. A revision alone is
 * understood, too.
 */
final class EntityTag {

	/** Eleven characters reach to the year 6141, which every format of a time can say. */
	private static final Pattern TAG = Pattern.compile("(\\d{1,18})(?:\\.([0-9a-z]{1,11})(?:\\.(\\d{1,9}))?)?");

	private static final int BASE = 36;

	private EntityTag() {
	}

	/**
	 * Adds the header to an answer. Spring would compare it with {@code If-None-Match},
	 * but an unchanged version does not mean an unchanged answer: the state shared with
	 * other sessions is part of it.
	 */
	static void set(HttpServletResponse response, SessionVersion version) {
		response.setHeader(HttpHeaders.ETAG, of(version));
	}

	static String of(SessionVersion version) {
		long createTime = ChronoUnit.MICROS.between(Instant.EPOCH, version.createTime());
		String details = (version.detailsRevision() > 0) ? "." + version.detailsRevision() : "";
		return "\"" + version.revision() + "." + Long.toString(createTime, BASE) + details + "\"";
	}

	/**
	 * What a tag stands for.
	 * @param tag the tag without its quotes
	 * @return the precondition, {@link Precondition#NEVER} if it is no tag of ours
	 */
	static Precondition precondition(String tag) {
		Matcher parts = TAG.matcher(tag);
		if (!parts.matches()) {
			return Precondition.NEVER;
		}
		Instant createTime = createTime(parts.group(2));
		Integer details = (createTime != null) ? Integer.valueOf(detailsRevision(parts.group(3))) : null;
		return new Precondition(Long.valueOf(parts.group(1)), createTime, details, null, null);
	}

	private static @Nullable Instant createTime(@Nullable String micros) {
		return (micros != null) ? Instant.EPOCH.plus(Long.parseLong(micros, BASE), ChronoUnit.MICROS) : null;
	}

	private static int detailsRevision(@Nullable String number) {
		return (number != null) ? Integer.parseInt(number) : 0;
	}

}
