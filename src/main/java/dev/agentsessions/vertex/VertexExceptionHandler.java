package dev.agentsessions.vertex;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.vertex.VertexExceptionHandler.RpcError.RpcCode;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;
import dev.agentsessions.web.ErrorResponder;
import dev.agentsessions.web.RequestId;

/**
 * Converts errors to responses as Google's APIs do. ADK Java takes every response to an
 * append for a success, so the service logs every failed append.
 */
@RestControllerAdvice(basePackageClasses = VertexExceptionHandler.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class VertexExceptionHandler extends ResponseEntityExceptionHandler {

	private static final Logger logger = LoggerFactory.getLogger(VertexExceptionHandler.class);

	/** Without the colon before it, which may be encoded. */
	private static final String APPEND = "appendEvent";

	private final ErrorResponder errors;

	VertexExceptionHandler(ErrorResponder errors) {
		this.errors = errors;
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(SessionException.NotFound ex, WebRequest request) {
		boolean empty = isReadByAdkJava(((ServletWebRequest) request).getRequest()) && !isCommitted(request);
		return empty ? ResponseEntity.notFound().build()
				: respond(ex, RpcCode.NOT_FOUND, HttpStatus.NOT_FOUND, request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(SessionException ex, WebRequest request) {
		if (ex instanceof SessionException.Unavailable unavailable) {
			this.errors.log(unavailable);
		}
		if (!isCommitted(request)) {
			ex.retryAfter()
				.ifPresent((seconds) -> response(request).setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
		}
		RpcCode code = RpcCode.of(ex);
		boolean tooLarge = ex instanceof SessionException.TooLarge;
		return respond(ex, code, tooLarge ? HttpStatus.CONTENT_TOO_LARGE : code.status(), request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(JsonException ex, WebRequest request) {
		return respond(ex, RpcCode.INVALID_ARGUMENT, HttpStatus.BAD_REQUEST, request);
	}

	/**
	 * Responds with 500. If the response has begun, throws the error, so that the client
	 * does not take the partial response for a complete one.
	 */
	@ExceptionHandler
	@Nullable ResponseEntity<Object> handleFault(Exception ex, WebRequest request) throws Exception {
		if (isCommitted(request)) {
			throw ex;
		}
		this.errors.logFault(((ServletWebRequest) request).getRequest(), ex);
		RpcError error = error(RpcCode.INTERNAL, HttpStatus.INTERNAL_SERVER_ERROR, ErrorResponder.INTERNAL_ERROR,
				request);
		return handleExceptionInternal(ex, error, new HttpHeaders(), HttpStatus.INTERNAL_SERVER_ERROR, request);
	}

	/**
	 * Sets the type of the error. Spring would choose it by {@code Accept}, and fail if
	 * that header is invalid or names no type of JSON.
	 */
	@Override
	protected @Nullable ResponseEntity<Object> handleExceptionInternal(Exception ex, @Nullable Object body,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		logLostEvent(ex, status, ((ServletWebRequest) request).getRequest());
		Object error = (body instanceof RpcError) ? body
				: error(RpcCode.of(status), status, message(ex, status), request);
		HttpHeaders typed = new HttpHeaders(headers);
		typed.setContentType(MediaType.APPLICATION_JSON);
		return super.handleExceptionInternal(ex, error, typed, status, request);
	}

	private @Nullable ResponseEntity<Object> respond(RuntimeException ex, RpcCode code, HttpStatusCode status,
			WebRequest request) {
		if (isCommitted(request)) {
			throw ex;
		}
		String message = Objects.requireNonNull(ex.getMessage());
		return handleExceptionInternal(ex, error(code, status, message, request), new HttpHeaders(), status, request);
	}

	private static RpcError error(RpcCode code, HttpStatusCode status, String message, WebRequest request) {
		return RpcError.of(code, status, message, RequestId.of(((ServletWebRequest) request).getRequest()));
	}

	private static String message(Exception ex, HttpStatusCode status) {
		if (ex instanceof MethodArgumentTypeMismatchException mismatch) {
			return mismatch.getName() + " " + ErrorResponder.rule(mismatch);
		}
		if (ex instanceof HttpMessageNotReadableException) {
			return "A JSON object is required as the body";
		}
		String detail = (ex instanceof ErrorResponse response) ? response.getBody().getDetail() : null;
		return (detail != null) ? detail : "The request failed with status " + status.value();
	}

	private static boolean isCommitted(WebRequest request) {
		return response(request).isCommitted();
	}

	private static HttpServletResponse response(WebRequest request) {
		return Objects.requireNonNull(((ServletWebRequest) request).getResponse());
	}

	/**
	 * ADK Java can delete a missing session only if the response to its read has an empty
	 * body.
	 */
	private static boolean isReadByAdkJava(HttpServletRequest request) {
		return HttpMethod.GET.matches(request.getMethod()) && ClientLibrary.of(request).isAdkJava();
	}

	/**
	 * Logs the type of the error but not its message, which may contain a part of the
	 * body.
	 */
	private static void logLostEvent(Exception ex, HttpStatusCode status, HttpServletRequest request) {
		if (request.getRequestURI().endsWith(APPEND)) {
			logger.warn("An event was not stored: answered {} to {} because of {}", status.value(),
					request.getRequestURI(), ex.getClass().getSimpleName());
		}
	}

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

			private static final Map<Integer, RpcCode> BY_STATUS = Map.of(401, UNAUTHENTICATED, 403, PERMISSION_DENIED,
					404, NOT_FOUND, 409, ABORTED, 429, RESOURCE_EXHAUSTED, 501, UNIMPLEMENTED, 503, UNAVAILABLE);

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

}
