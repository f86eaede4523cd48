package dev.agentsessions.vertex;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;

/**
 * An error of the protocol. Source: {@code google.rpc.Status}, in the JSON form of
 * Google's APIs.
 *
 * @param error the error
 */
record RpcError(Detail error) {

	static RpcError of(RpcCode code, HttpStatusCode status, String message, String requestId) {
		return new RpcError(new Detail(status.value(), message, code.name(),
				List.of(new RequestInfo(RequestInfo.TYPE, requestId))));
	}

	/**
	 * The error.
	 *
	 * @param code the HTTP status of the response
	 * @param message the message for developers
	 * @param status the error code
	 * @param details the id of the request
	 */
	record Detail(int code, String message, String status, List<RequestInfo> details) {
	}

	/**
	 * The id of a request in the log. Source: {@code google.rpc.RequestInfo}.
	 *
	 * @param type the name of the message
	 * @param requestId the id of the request
	 */
	record RequestInfo(@JsonProperty("@type") String type, String requestId) {

		static final String TYPE = "type.googleapis.com/google.rpc.RequestInfo";

	}

	/** The error codes of the protocol. Source: {@code google.rpc.Code}. */
	enum RpcCode {

		/** A parameter, an id or a field breaks a rule. */
		INVALID_ARGUMENT(HttpStatus.BAD_REQUEST),
		/** The request is valid, but does not match the stored data. */
		FAILED_PRECONDITION(HttpStatus.BAD_REQUEST),
		/** The caller is unknown. */
		UNAUTHENTICATED(HttpStatus.UNAUTHORIZED),
		/** The caller has no permission. */
		PERMISSION_DENIED(HttpStatus.FORBIDDEN),
		/** The session, event, part, invocation or memory does not exist. */
		NOT_FOUND(HttpStatus.NOT_FOUND),
		/** The session id or event id is taken. */
		ALREADY_EXISTS(HttpStatus.CONFLICT),
		/** The request does not fit the session as it is now. */
		ABORTED(HttpStatus.CONFLICT),
		/** Too many requests. */
		RESOURCE_EXHAUSTED(HttpStatus.TOO_MANY_REQUESTS),
		/** The service does not have this part of the protocol. */
		UNIMPLEMENTED(HttpStatus.NOT_IMPLEMENTED),
		/** An internal error of the service. */
		INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR),
		/** The database is unavailable; a retry may succeed. */
		UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE);

		private static final Map<Integer, RpcCode> BY_STATUS = Map.of(401, UNAUTHENTICATED, 403, PERMISSION_DENIED, 404,
				NOT_FOUND, 409, ABORTED, 429, RESOURCE_EXHAUSTED, 501, UNIMPLEMENTED, 503, UNAVAILABLE);

		private final HttpStatus status;

		RpcCode(HttpStatus status) {
			this.status = status;
		}

		/** Returns the code of an exception of the core. */
		static RpcCode of(SessionException ex) {
			return switch (ex.kind().category()) {
				case MISSING -> NOT_FOUND;
				case AMBIGUOUS, PRECONDITION_REQUIRED -> FAILED_PRECONDITION;
				case TAKEN -> ALREADY_EXISTS;
				case CONFLICT -> ABORTED;
				case INVALID, TOO_LARGE -> INVALID_ARGUMENT;
				case UNAUTHENTICATED -> UNAUTHENTICATED;
				case FORBIDDEN -> PERMISSION_DENIED;
				case RATE_LIMITED -> RESOURCE_EXHAUSTED;
				case UNAVAILABLE -> UNAVAILABLE;
			};
		}

		/** Returns the code of an HTTP status that Spring chose. */
		static RpcCode of(HttpStatusCode status) {
			return BY_STATUS.getOrDefault(status.value(), status.is5xxServerError() ? INTERNAL : INVALID_ARGUMENT);
		}

		HttpStatus status() {
			return this.status;
		}

	}

}
