package dev.agentsessions.adk;

import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * Creates the problem for a stale precondition, with the current version of the session
 * and a link to the missed events.
 */
final class StaleProblem {

	private static final String EVENTS = "/apps/{appName}/users/{userId}/sessions/{sessionId}/events";

	private static final String FOREIGN_TAG = "If-Match has no ETag of this service, or a weak one, which matches"
			+ " nothing (RFC 9110). A proxy that compresses answers makes tags weak: ask for answers without compression,"
			+ " or send the revision in quotes.";

	private StaleProblem() {
	}

	static ProblemDetail of(SessionException.Stale ex, WebRequest request) {
		ProblemDetail problem = ProblemCode.STALE_SESSION.problem(detail(ex));
		problem
			.setStatus((ex.precondition().revision() != null) ? HttpStatus.PRECONDITION_FAILED : HttpStatus.CONFLICT);
		problem.setProperty("etag", EntityTag.of(ex.version()));
		problem.setProperty("revision", ex.version().revision());
		problem.setProperty("lastUpdateTime", Timestamps.toSeconds(ex.lastUpdateTime()));
		problem.setProperty("missedEvents", missedEvents(ex, ((ServletWebRequest) request).getRequest()));
		return problem;
	}

	private static String detail(SessionException.Stale ex) {
		boolean foreign = Objects.equals(Precondition.NEVER.revision(), ex.precondition().revision());
		return foreign ? FOREIGN_TAG : Objects.requireNonNull(ex.getMessage());
	}

	private static String missedEvents(SessionException.Stale ex, HttpServletRequest request) {
		Map<?, ?> names = (Map<?, ?>) request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
		return UriComponentsBuilder.fromPath(request.getContextPath() + EVENTS)
			.queryParam("afterSeq", ex.seenRevision())
			.encode()
			.build()
			.expand(names::get)
			.toUriString();
	}

}
