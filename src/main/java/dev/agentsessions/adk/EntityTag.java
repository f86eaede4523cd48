package dev.agentsessions.adk;

import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.Timestamps;

/**
 * Converts the version of a session to the HTTP header {@code ETag} and back. The format
 * is {@code "<revision>.<key>.<microseconds>"}, where the microseconds are those from
 * 1970 to the last update time, with {@code .<n>} at the end once the session details
 * were changed. A revision alone is also accepted.
 */
public final class EntityTag {

	private static final Pattern TAG = Pattern
		.compile("(0|[1-9]\\d{0,17})(?:\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
				+ "\\.(-?\\d{1,18})(?:\\.(\\d{1,9}))?)?");

	private EntityTag() {
	}

	/**
	 * Adds the header to a response. Does not use Spring's support, which would compare
	 * the tag with {@code If-None-Match}: an unchanged version does not mean an unchanged
	 * response, because the response includes the state shared with other sessions.
	 */
	public static void set(HttpServletResponse response, SessionVersion version) {
		response.setHeader(HttpHeaders.ETAG, of(version));
	}

	/** Returns the entity tag of a version, in quotes. */
	public static String of(SessionVersion version) {
		String details = (version.detailsRevision() > 0) ? "." + version.detailsRevision() : "";
		return "\"" + version.revision() + "." + version.sessionKey() + "."
				+ Timestamps.toEpochMicros(version.lastUpdateTime()) + details + "\"";
	}

	/**
	 * Returns the key of the session that a tag names. A weak tag names it, too: a proxy
	 * that compresses responses makes the tags weak.
	 * @param name the name of the parameter that has the tag, with or without quotes
	 * @throws SessionException.InvalidArgument if it is not a tag of a session
	 */
	public static UUID sessionKey(String name, String tag) {
		Matcher parts = TAG.matcher(tag.replaceFirst("^W/", "").replace("\"", ""));
		if (!parts.matches() || parts.group(2) == null) {
			throw new SessionException.InvalidArgument(name, "must be the ETag of a session");
		}
		return UUID.fromString(parts.group(2));
	}

	/**
	 * Returns the precondition that a tag stands for.
	 * @param tag the tag without its quotes
	 * @return the precondition; {@link Precondition#NEVER} if the service does not issue
	 * such tags
	 */
	static Precondition precondition(String tag) {
		Matcher parts = TAG.matcher(tag);
		if (!parts.matches()) {
			return Precondition.NEVER;
		}
		long revision = Long.parseLong(parts.group(1));
		if (parts.group(2) == null) {
			return new Precondition(revision, null);
		}
		Instant time = Timestamps.ofEpochMicros(Long.parseLong(parts.group(3)));
		return Timestamps.isValid(time) ? Precondition
			.of(new SessionVersion(revision, UUID.fromString(parts.group(2)), time, detailsRevision(parts.group(4))))
				: Precondition.NEVER;
	}

	private static int detailsRevision(@Nullable String number) {
		return (number != null) ? Integer.parseInt(number) : 0;
	}

}
