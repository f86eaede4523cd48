package dev.agentsessions.adk;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/** The revision of a session as the HTTP header {@code ETag}, and the way back. */
final class EntityTag {

	private static final Pattern REVISION = Pattern.compile("(\"?)(\\d{1,18})\\1");

	private EntityTag() {
	}

	/**
	 * Adds the header to an answer. Spring would compare it with {@code If-None-Match},
	 * but an unchanged revision does not mean an unchanged answer: the state shared with
	 * other sessions is part of it.
	 */
	static void set(HttpServletResponse response, long revision) {
		response.setHeader(HttpHeaders.ETAG, "\"" + revision + "\"");
	}

	/**
	 * Reads what an append has to follow.
	 * @param ifMatch the header {@code If-Match}: a revision in quotes, or {@code *} for
	 * any
	 * @param lastUpdateTime the parameter {@code lastUpdateTime}
	 */
	static Precondition precondition(@Nullable String ifMatch, @Nullable String lastUpdateTime) {
		return new Precondition(revision(ifMatch),
				(lastUpdateTime != null) ? Timestamps.parse("lastUpdateTime", lastUpdateTime) : null);
	}

	private static @Nullable Long revision(@Nullable String ifMatch) {
		if (ifMatch == null || ifMatch.strip().equals("*")) {
			return null;
		}
		Matcher revision = REVISION.matcher(ifMatch.strip());
		if (!revision.matches()) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_MATCH,
					"must be one revision in quotes, as the header ETag has it");
		}
		return Long.valueOf(revision.group(2));
	}

}
