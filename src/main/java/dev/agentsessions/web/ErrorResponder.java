package dev.agentsessions.web;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.CloseNowException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.TypeMismatchException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.ServletRequestPathUtils;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StoreHealth;

/**
 * Responds to a request that is refused before it reaches a controller. The response
 * comes from the exception handler of the dialect whose controller would have handled the
 * request.
 */
@Component
public class ErrorResponder {

	/** The message for a path that does not exist. */
	public static final String UNKNOWN_PATH = "The service has nothing at this path";

	/** The message for an internal error. Only the log has the cause. */
	public static final String INTERNAL_ERROR = "Something failed in the service. Its log has the cause.";

	/** The request attribute that is set if the caller logs the failure itself. */
	public static final String FAILURE_LOGGED_BY_CALLER = ErrorResponder.class.getName() + ".loggedByCaller";

	private static final Logger logger = LoggerFactory.getLogger(ErrorResponder.class);

	private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

	private static final List<String> HEADERS_OF_CONTENT = List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.ETAG,
			HttpHeaders.LINK, HttpHeaders.CACHE_CONTROL, HttpHeaders.CONTENT_RANGE, HttpHeaders.ACCEPT_RANGES);

	private static final long TRACE_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

	/** When each kind of fault was last logged with its stack trace, in nanoseconds. */
	private final Map<String, Long> traces = new ConcurrentHashMap<>();

	/** Lazy, because the web layer is complete only when the first request arrives. */
	private final ObjectProvider<HandlerExceptionResolver> resolver;

	private final ObjectProvider<HandlerMapping> mapping;

	private final ObjectProvider<StoreHealth> store;

	ErrorResponder(@Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> resolver,
			@Qualifier("requestMappingHandlerMapping") ObjectProvider<HandlerMapping> mapping,
			ObjectProvider<StoreHealth> store) {
		this.resolver = resolver;
		this.mapping = mapping;
		this.store = store;
	}

	/**
	 * Logs why a request gets status 503, in one line. While the database is unavailable,
	 * every request may fail and the log already has one line for all of them; then the
	 * level is DEBUG. The path contains the names of the app and the session.
	 */
	public void log(SessionException.Unavailable ex) {
		boolean known = isLoggedByCaller() || this.store.getObject().explains(ex);
		Level level = known ? Level.DEBUG : Level.WARN;
		logger.atLevel(level)
			.log("Answered 503 to {}: {} {}", request(), ex.getMessage(),
					LINE_END.matcher(NestedExceptionUtils.getMostSpecificCause(ex).toString()).replaceAll(" "));
		logger.debug("Answered 503", ex);
	}

	/** Returns the rule that a parameter of a wrong type has violated. */
	public static String rule(TypeMismatchException ex) {
		if (ex.getValue() instanceof String[]) {
			return "must be given only once";
		}
		return (ex.getRequiredType() == Boolean.class) ? "must be true or false"
				: "must be a whole number, and not too large";
	}

	private static boolean isLoggedByCaller() {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		return request != null
				&& request.getAttribute(FAILURE_LOGGED_BY_CALLER, RequestAttributes.SCOPE_REQUEST) != null;
	}

	private static String request() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? attributes.getRequest().getMethod() + " " + attributes.getRequest().getRequestURI() : "a request";
	}

	/**
	 * Logs why a request gets status 500, in one line without contents. A fault of the
	 * same kind has a stack trace once a minute, because clients can repeat a request.
	 */
	public void logFault(HttpServletRequest request, Exception fault) {
		logFault("Answered 500 to ", request, fault);
	}

	private void logFault(String outcome, HttpServletRequest request, Exception fault) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(fault);
		String kind = cause.getClass().getName() + Stream.of(cause.getStackTrace())
			.limit(1)
			.map((place) -> " at " + place)
			.collect(Collectors.joining());
		long now = System.nanoTime();
		boolean traced = now == this.traces.merge(kind, now,
				(last, next) -> (next - last > TRACE_INTERVAL_NANOS) ? next : last);
		logger.atError()
			.setCause(traced ? fault : null)
			.log("{}{} {}: {}", outcome, request.getMethod(), request.getRequestURI(), kind);
	}

	/** Logs why the connection is cut after the response has begun. */
	void logTruncated(HttpServletRequest request, Exception cause) {
		if (cause instanceof SessionException refusal) {
			logger.info("Cut the response to {} {}: {}", request.getMethod(), request.getRequestURI(), refusal.kind());
		}
		else {
			logFault("Cut the response to ", request, cause);
		}
	}

	/** Writes the error response. Its headers have to be set before. */
	public void answer(HttpServletRequest request, HttpServletResponse response, Exception cause) {
		Object handler = handler(request);
		request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
		request.setAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE, cause);
		if (this.resolver.getObject().resolveException(request, response, handler, cause) == null) {
			logFault(request, cause);
			response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}
	}

	/** Writes the error response in place of a response that nothing was sent of. */
	void answerInstead(HttpServletRequest request, HttpServletResponse response, Exception cause) {
		response.resetBuffer();
		response.setContentLength(-1);
		removeHeadersOfContent(response);
		answer(request, response, cause);
	}

	/**
	 * Removes headers of the response that is not sent, such as the time to keep it.
	 */
	static void removeHeadersOfContent(HttpServletResponse response) {
		HEADERS_OF_CONTENT.forEach((header) -> response.setHeader(header, null));
	}

	/**
	 * Answers a request whose response could not be written, if the reason is that memory
	 * or the store was not available.
	 * @return whether it was; then nothing is left of the response
	 */
	boolean answerCause(HttpServletRequest request, HttpServletResponse response, Exception failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof SessionException.Unavailable)) {
			cause = cause.getCause();
		}
		if (cause == null || response.isCommitted()) {
			return false;
		}
		answerInstead(request, response, (SessionException.Unavailable) cause);
		return true;
	}

	private @Nullable Object handler(HttpServletRequest request) {
		try {
			ServletRequestPathUtils.parseAndCache(request);
			HandlerExecutionChain found = this.mapping.getObject().getHandler(request);
			return (found != null) ? found.getHandler() : null;
		}
		catch (Exception ex) {
			// No route matches the method, path or body, so the request has no handler.
			return null;
		}
	}

	/**
	 * Responds to a request if anything behind this filter throws: with an error of the
	 * dialect, or by cutting the connection if the response has begun. Tomcat would log a
	 * stack trace for each such request. Only filters that observe requests come before
	 * it.
	 */
	@Component
	@Order(Ordered.HIGHEST_PRECEDENCE + 11)
	static class FaultFilter extends OncePerRequestFilter {

		private final ErrorResponder errors;

		FaultFilter(ErrorResponder errors) {
			this.errors = errors;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			try {
				chain.doFilter(request, response);
			}
			catch (ClientAbortException ex) {
				throw ex;
			}
			catch (Throwable ex) {
				Exception cause = cause(ex);
				if (response.isCommitted()) {
					this.errors.logTruncated(request, cause);
					throw new CloseNowException("A response that had begun could not be completed", ex);
				}
				answer(request, response, cause);
			}
		}

		/**
		 * Returns the cause that the exception handlers of the dialects know, if there is
		 * one.
		 */
		private static Exception cause(Throwable thrown) {
			for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
				if (cause instanceof SessionException refusal) {
					return refusal;
				}
				if (cause instanceof BadRequestException || cause instanceof InvalidParameterException) {
					return new SessionException.InvalidArgument("The request", "must be valid HTTP");
				}
			}
			return (thrown instanceof Exception ex) ? ex : new ServletException(thrown);
		}

		private void answer(HttpServletRequest request, HttpServletResponse response, Exception cause)
				throws IOException {
			try {
				this.errors.answerInstead(request, response, cause);
			}
			catch (Exception ex) {
				this.errors.logFault(request, ex);
				response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
			}
		}

		/**
		 * Cuts the connection if a response has begun and cannot be completed, so that no
		 * client takes a partial response for a complete one. If it has not begun, and
		 * the reason is inside of another exception, the reason is the response.
		 */
		@Component
		@Order(Ordered.HIGHEST_PRECEDENCE)
		static class TruncatedResponseResolver implements HandlerExceptionResolver {

			private final ErrorResponder errors;

			TruncatedResponseResolver(ErrorResponder errors) {
				this.errors = errors;
			}

			@Override
			public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
					@Nullable Object handler, Exception ex) {
				if (isCausedBy(AsyncRequestNotUsableException.class, ex)) {
					return nothing();
				}
				if (!response.isCommitted() || isRefusedByTomcat(response)) {
					boolean nested = !(ex instanceof SessionException);
					if (ex instanceof SessionException.Unavailable) {
						ErrorResponder.removeHeadersOfContent(response);
					}
					return (nested && this.errors.answerCause(request, response, ex)) ? nothing() : null;
				}
				// Spring MVC wraps the exception of Tomcat, a direct route does not
				if (isCausedBy(ClientAbortException.class, ex)) {
					return nothing();
				}
				throw new IllegalStateException("A response that had begun could not be completed", ex);
			}

			/** The client is gone: there is no response to send and no error to log. */
			private static ModelAndView nothing() {
				return new ModelAndView();
			}

			private static boolean isCausedBy(Class<? extends Exception> type, Exception ex) {
				return Stream.<Throwable>iterate(ex, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
			}

			/**
			 * If a body does not arrive, Tomcat has already set the status of an error.
			 * Nothing of that response is sent yet.
			 */
			private static boolean isRefusedByTomcat(HttpServletResponse response) {
				return HttpStatusCode.valueOf(response.getStatus()).isError();
			}

		}

	}

}
