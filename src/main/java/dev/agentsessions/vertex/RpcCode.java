package dev.agentsessions.vertex;

import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;

/** The kinds of errors of the protocol. Source: {@code google.rpc.Code}. */
enum RpcCode {

	/** A parameter, an id or a field breaks a rule. */
	INVALID_ARGUMENT(HttpStatus.BAD_REQUEST),
	/** The request is valid, but not for what is there. */
	FAILED_PRECONDITION(HttpStatus.BAD_REQUEST),
	/** Nobody knows who calls. */
	UNAUTHENTICATED(HttpStatus.UNAUTHORIZED),
	/** Whoever calls may not do it. */
	PERMISSION_DENIED(HttpStatus.FORBIDDEN),
	/** There is no such session. */
	NOT_FOUND(HttpStatus.NOT_FOUND),
	/** The session id is taken. */
	ALREADY_EXISTS(HttpStatus.CONFLICT),
	/** The session has changed meanwhile. */
	ABORTED(HttpStatus.CONFLICT),
	/** Too many requests. */
	RESOURCE_EXHAUSTED(HttpStatus.TOO_MANY_REQUESTS),
	/** A fault of the service. */
	INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR),
	/** The database does not answer; a retry may succeed. */
	UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE);

	private static final Map<Integer, RpcCode> BY_STATUS = Map.of(401, UNAUTHENTICATED, 403, PERMISSION_DENIED, 404,
			NOT_FOUND, 409, ABORTED, 429, RESOURCE_EXHAUSTED, 503, UNAVAILABLE);

	private final HttpStatus status;

	RpcCode(HttpStatus status) {
		this.status = status;
	}

	/** The code of an exception of the core. */
	static RpcCode of(SessionException ex) {
		return switch (ex.kind()) {
			case NOT_FOUND, EVENT_NOT_FOUND, PART_NOT_FOUND, INVOCATION_NOT_FOUND -> NOT_FOUND;
			case AMBIGUOUS, PRECONDITION_REQUIRED -> FAILED_PRECONDITION;
			case ALREADY_EXISTS, EVENT_ID_CONFLICT -> ALREADY_EXISTS;
			case STALE, SESSION_BUSY, LEASE_LOST -> ABORTED;
			case INVALID_ARGUMENT, TOO_LARGE -> INVALID_ARGUMENT;
			case UNAUTHENTICATED -> UNAUTHENTICATED;
			case FORBIDDEN -> PERMISSION_DENIED;
			case RATE_LIMITED -> RESOURCE_EXHAUSTED;
			case UNAVAILABLE -> UNAVAILABLE;
		};
	}

	/** The code of a status that Spring has chosen. */
	static RpcCode of(HttpStatusCode status) {
		return BY_STATUS.getOrDefault(status.value(), status.is5xxServerError() ? INTERNAL : INVALID_ARGUMENT);
	}

	HttpStatus status() {
		return this.status;
	}

}
