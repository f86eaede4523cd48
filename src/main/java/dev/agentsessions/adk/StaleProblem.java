package dev.agentsessions.adk;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/** Tells a caller who comes too late what the session is now, and what he has missed. */
final class StaleProblem {

	private static final String EVENTS = "/events";

	private StaleProblem() {
	}

	static ProblemDetail of(SessionException.Stale ex, WebRequest request) {
		ProblemDetail problem = ProblemCode.STALE_SESSION.problem(ex.getMessage());
		problem
			.setStatus((ex.precondition().revision() != null) ? HttpStatus.PRECONDITION_FAILED : HttpStatus.CONFLICT);
		problem.setProperty("revision", ex.revision());
		problem.setProperty("lastUpdateTime", Timestamps.toSeconds(ex.lastUpdateTime()));
		problem.setProperty("missedEvents",
				missedEvents(ex, ((ServletWebRequest) request).getRequest().getRequestURI()));
		return problem;
	}

	private static String missedEvents(SessionException.Stale ex, String path) {
		String events = path.endsWith(EVENTS) ? path : path + EVENTS;
		return UriComponentsBuilder.fromPath(events).queryParam("afterSeq", ex.seenRevision()).build().toUriString();
	}

}
