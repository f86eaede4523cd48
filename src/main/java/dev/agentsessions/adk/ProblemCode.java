package dev.agentsessions.adk;

import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.RequestId;

/** The stable codes of errors. Clients may rely on the codes, but not on the texts. */
public enum ProblemCode {

	/** The session does not exist or belongs to another user. */
	SESSION_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The session has no such event. */
	EVENT_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The event has no such part, or the part has no data. */
	PART_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The session has no event of the invocation. */
	INVOCATION_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The user has no such memory. */
	MEMORY_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The session or the user has no such artifact, or not this version. */
	ARTIFACT_NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The service has no such path. */
	NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The id of the session or of the memory is taken. */
	ALREADY_EXISTS(HttpStatus.CONFLICT),
	/** The session has changed since it was read; 412 if the request had If-Match. */
	STALE_SESSION(HttpStatus.CONFLICT),
	/** The newest version of the artifact is not the one that the request names. */
	STALE_ARTIFACT(HttpStatus.PRECONDITION_FAILED),
	/** The event id is taken by an event with other content. */
	EVENT_ID_CONFLICT(HttpStatus.CONFLICT),
	/** Another holder has the lease of the session. */
	SESSION_BUSY(HttpStatus.CONFLICT),
	/** The lease that the request names is no longer valid. */
	LEASE_LOST(HttpStatus.CONFLICT),
	/** A parameter, an id or a value breaks a rule. */
	INVALID_ARGUMENT(HttpStatus.BAD_REQUEST),
	/** The body has the wrong shape. */
	VALIDATION_FAILED(HttpStatus.UNPROCESSABLE_CONTENT),
	/** The service accepts no append without If-Match or lastUpdateTime. */
	PRECONDITION_REQUIRED(HttpStatus.PRECONDITION_REQUIRED),
	/** The body is larger than the limit. */
	PAYLOAD_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
	/** The session or the user has no room for the artifact. */
	QUOTA_EXCEEDED(HttpStatus.CONTENT_TOO_LARGE),
	/** Credentials are missing or not valid. */
	UNAUTHENTICATED(HttpStatus.UNAUTHORIZED),
	/** The caller does not have the permission. */
	FORBIDDEN(HttpStatus.FORBIDDEN),
	/** The caller sends too many requests; Retry-After says when to retry. */
	RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS),
	/** The body did not arrive in time. */
	REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
	/** The path does not support the method. */
	METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
	/** The caller accepts no JSON. */
	NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),
	/** The body is not declared as JSON. */
	UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
	/**
	 * The service cannot process the request now, for example because the database does
	 * not respond. A retry may succeed.
	 */
	UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),
	/** An internal error of the service. */
	INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR);

	private static final String CODE = "code";

	private static final Map<Integer, ProblemCode> BY_STATUS = Map.of(404, NOT_FOUND, 408, REQUEST_TIMEOUT, 405,
			METHOD_NOT_ALLOWED, 406, NOT_ACCEPTABLE, 413, PAYLOAD_TOO_LARGE, 415, UNSUPPORTED_MEDIA_TYPE, 500, INTERNAL,
			503, UNAVAILABLE);

	private final HttpStatus status;

	ProblemCode(HttpStatus status) {
		this.status = status;
	}

	/** Returns the code of an exception. */
	public static ProblemCode of(SessionException ex) {
		return switch (ex.kind()) {
			case NOT_FOUND -> SESSION_NOT_FOUND;
			case EVENT_NOT_FOUND -> EVENT_NOT_FOUND;
			case PART_NOT_FOUND -> PART_NOT_FOUND;
			case INVOCATION_NOT_FOUND -> INVOCATION_NOT_FOUND;
			case MEMORY_NOT_FOUND -> MEMORY_NOT_FOUND;
			case ARTIFACT_NOT_FOUND -> ARTIFACT_NOT_FOUND;
			case STALE_ARTIFACT -> STALE_ARTIFACT;
			case QUOTA_EXCEEDED -> QUOTA_EXCEEDED;
			case ALREADY_EXISTS -> ALREADY_EXISTS;
			case STALE -> STALE_SESSION;
			case EVENT_ID_CONFLICT -> EVENT_ID_CONFLICT;
			case SESSION_BUSY -> SESSION_BUSY;
			case LEASE_LOST -> LEASE_LOST;
			case INVALID_ARGUMENT, AMBIGUOUS -> INVALID_ARGUMENT;
			case TOO_LARGE -> PAYLOAD_TOO_LARGE;
			case PRECONDITION_REQUIRED -> PRECONDITION_REQUIRED;
			case UNAUTHENTICATED -> UNAUTHENTICATED;
			case FORBIDDEN -> FORBIDDEN;
			case RATE_LIMITED -> RATE_LIMITED;
			case UNAVAILABLE -> UNAVAILABLE;
		};
	}

	/** Returns the code for a status that Spring has chosen. */
	static ProblemCode of(HttpStatusCode status) {
		return BY_STATUS.getOrDefault(status.value(), status.is5xxServerError() ? INTERNAL : INVALID_ARGUMENT);
	}

	/**
	 * Adds the properties that every problem has: {@code code}, {@code error} and the id
	 * of the request. ADK's own client for TypeScript shows only {@code error}.
	 * @param requestId the id of the request
	 * @return the problem
	 */
	static ProblemDetail completed(ProblemDetail problem, String requestId) {
		if (problem.getProperties() == null || !problem.getProperties().containsKey(CODE)) {
			problem.setProperty(CODE, of(HttpStatusCode.valueOf(problem.getStatus())).name());
		}
		problem.setProperty("error", problem.getDetail());
		problem.setProperty(RequestId.NAME, requestId);
		return problem;
	}

	HttpStatus status() {
		return this.status;
	}

	/** Creates a problem with this code. */
	ProblemDetail problem(String detail) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(this.status, detail);
		problem.setProperty(CODE, name());
		return problem;
	}

}
