package dev.agentsessions.adk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springdoc.api.OpenApiResourceNotFoundException;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.validation.FieldError;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.state.InstructionTemplate.MissingKeysException;
import dev.agentsessions.web.ErrorResponder;
import dev.agentsessions.web.RequestId;

/**
 * Maps exceptions to problem details (RFC 9457) with a stable code. It comes after the
 * handlers of other dialects and therefore also handles unknown paths.
 */
@RestControllerAdvice
class AdkExceptionHandler extends ResponseEntityExceptionHandler {

	private static final String EVENTS = "/apps/{appName}/users/{userId}/sessions/{sessionId}/events";

	private static final String FOREIGN_TAG = "If-Match has no ETag of this service, or a weak one, which matches"
			+ " nothing (RFC 9110). A proxy that compresses answers makes tags weak: ask for answers without compression,"
			+ " or send the revision in quotes.";

	private final ErrorResponder errors;

	AdkExceptionHandler(ErrorResponder errors) {
		this.errors = errors;
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(SessionException ex, WebRequest request) {
		if (ex instanceof SessionException.Unavailable unavailable) {
			this.errors.log(unavailable);
		}
		ProblemDetail problem = ProblemCode.of(ex).problem(ex.getMessage());
		ex.details().forEach(problem::setProperty);
		return respond(ex, problem, request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(SessionException.Stale ex, WebRequest request) {
		return respond(ex, problem(ex, request), request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(SessionException.PreconditionRequired ex, WebRequest request) {
		String detail = "This service accepts appends only with If-Match or lastUpdateTime";
		return respond(ex, ProblemCode.PRECONDITION_REQUIRED.problem(detail), request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(JsonException.Malformed ex, WebRequest request) {
		return respond(ex, ProblemCode.INVALID_ARGUMENT.problem(ex.getMessage()), request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(JsonException.InvalidShape ex, WebRequest request) {
		ProblemDetail problem = ProblemCode.VALIDATION_FAILED.problem(ex.getMessage());
		problem.setProperty("errors", List.of(FieldProblem.of(ex)));
		return respond(ex, problem, request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(MissingKeysException ex, WebRequest request) {
		ProblemDetail problem = ProblemCode.VALIDATION_FAILED.problem(ex.getMessage());
		problem.setProperty("missingKeys", ex.keys());
		return respond(ex, problem, request);
	}

	/** A client requested an OpenAPI document that springdoc does not have. */
	@ExceptionHandler
	@Nullable ResponseEntity<Object> handle(OpenApiResourceNotFoundException ex, WebRequest request) {
		return respond(ex, ProblemCode.NOT_FOUND.problem("The service has no such document"), request);
	}

	@ExceptionHandler
	@Nullable ResponseEntity<Object> handleFault(Exception ex, WebRequest request) {
		this.errors.logFault(((ServletWebRequest) request).getRequest(), ex);
		return respond(ex, ProblemCode.INTERNAL.problem(ErrorResponder.INTERNAL_ERROR), request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleTypeMismatch(TypeMismatchException ex, HttpHeaders headers,
			HttpStatusCode status, WebRequest request) {
		return respond(ex, invalidType(ex.getPropertyName(), ex), request);
	}

	/** Spring names the right types in a header only. */
	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMediaTypeNotSupported(HttpMediaTypeNotSupportedException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		ex.getBody().setDetail(ex.getBody().getDetail() + " Send " + MediaType.toString(ex.getSupportedMediaTypes()));
		return super.handleHttpMediaTypeNotSupported(ex, headers, status, request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		FieldError error = ex.getFieldErrors().get(0);
		return respond(ex, invalidType(error.getField(), error.unwrap(TypeMismatchException.class)), request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(NoResourceFoundException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		return respond(ex, ProblemCode.NOT_FOUND.problem(ErrorResponder.UNKNOWN_PATH), request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		return respond(ex, ProblemCode.VALIDATION_FAILED.problem("A JSON object is required as the body"), request);
	}

	/**
	 * Events are read while the response is written. A read may therefore fail here,
	 * before any byte is sent.
	 */
	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotWritable(HttpMessageNotWritableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof SessionException refusal) {
				return handle(refusal, request);
			}
		}
		return super.handleHttpMessageNotWritable(ex, headers, status, request);
	}

	/**
	 * Sets the type of the error. Spring would choose it by {@code Accept}, and fail if
	 * that header is invalid or names no type of JSON.
	 */
	@Override
	protected @Nullable ResponseEntity<Object> handleExceptionInternal(Exception ex, @Nullable Object body,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		HttpHeaders typed = new HttpHeaders(headers);
		typed.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		ResponseEntity<Object> response = super.handleExceptionInternal(ex, body, typed, status, request);
		if (response != null && response.getBody() instanceof ProblemDetail problem) {
			ProblemCode.completed(problem, RequestId.of(((ServletWebRequest) request).getRequest()));
		}
		return response;
	}

	/**
	 * Creates the problem for a stale precondition, with the current version of the
	 * session and a link to the missed events.
	 */
	private static ProblemDetail problem(SessionException.Stale ex, WebRequest request) {
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
		return foreign ? FOREIGN_TAG : ex.getMessage();
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

	private static ProblemDetail invalidType(@Nullable String parameter, TypeMismatchException ex) {
		return ProblemCode.INVALID_ARGUMENT.problem(parameter + " " + ErrorResponder.rule(ex));
	}

	private @Nullable ResponseEntity<Object> respond(Exception ex, ProblemDetail problem, WebRequest request) {
		HttpHeaders headers = new HttpHeaders();
		if (ex instanceof SessionException failure) {
			failure.retryAfter().ifPresent((seconds) -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
		}
		return handleExceptionInternal(ex, problem, headers, HttpStatusCode.valueOf(problem.getStatus()), request);
	}

	/**
	 * An invalid field of a body, in the format of ADK Python's server.
	 *
	 * @param loc the path of the field, starting with {@code body}
	 * @param msg the rule that the field breaks
	 * @param type the kind of rule
	 */
	record FieldProblem(List<String> loc, String msg, String type) {

		static FieldProblem of(JsonException.InvalidShape ex) {
			List<String> loc = new ArrayList<>(List.of("body"));
			if (!ex.field().isEmpty()) {
				loc.addAll(List.of(ex.field().split("\\.")));
			}
			return new FieldProblem(loc, ex.rule(), ex.rule().startsWith("is required") ? "missing" : "value_error");
		}

	}

}
