package dev.agentsessions.adk.artifact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.artifact.ArtifactPrecondition;
import dev.agentsessions.session.artifact.ArtifactVersion;

/**
 * Converts the newest version of an artifact to the header {@code ETag} and back. The
 * format is {@code "<version>.<time of the save in microseconds>"}. A number alone is
 * also accepted.
 */
final class ArtifactTag {

	private static final Pattern TAG = Pattern.compile("\"(0|[1-9]\\d{0,8})(?:\\.(\\d{1,18}))?\"");

	private ArtifactTag() {
	}

	static void set(HttpServletResponse response, ArtifactVersion version) {
		long micros = Timestamps.toEpochMicros(version.createTime());
		response.setHeader(HttpHeaders.ETAG, "\"" + version.version() + "." + micros + "\"");
	}

	/**
	 * Returns the precondition of a request: {@code If-Match} with one tag or {@code *},
	 * or {@code If-None-Match: *}.
	 * @throws SessionException.InvalidArgument if it is none of them
	 */
	static ArtifactPrecondition precondition(HttpServletRequest request) {
		String match = request.getHeader(HttpHeaders.IF_MATCH);
		String noneMatch = request.getHeader(HttpHeaders.IF_NONE_MATCH);
		if (match != null) {
			return match.strip().equals("*") ? ArtifactPrecondition.PRESENT : precondition(match.strip());
		}
		if (noneMatch != null && !noneMatch.strip().equals("*")) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_NONE_MATCH, "must be *");
		}
		return (noneMatch != null) ? ArtifactPrecondition.ABSENT : ArtifactPrecondition.NONE;
	}

	private static ArtifactPrecondition precondition(String tag) {
		Matcher parts = TAG.matcher(tag);
		if (!parts.matches()) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_MATCH,
					"must be the ETag of a version, the number of a version in quotes, or *");
		}
		String micros = parts.group(2);
		return new ArtifactPrecondition(true, Integer.valueOf(parts.group(1)),
				(micros != null) ? Timestamps.ofEpochMicros(Long.parseLong(micros)) : null);
	}

}
