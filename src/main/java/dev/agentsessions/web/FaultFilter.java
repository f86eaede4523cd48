package dev.agentsessions.web;

import java.io.IOException;
import java.util.Objects;
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
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.session.SessionException;

/**
 * Responds to a request if anything behind this filter throws: with an error of the
 * dialect, or by cutting the connection if the response has begun. Tomcat would log a
 * stack trace for each such request. Only filters that observe requests come before it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 11)
class FaultFilter extends OncePerRequestFilter {

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

	private void answer(HttpServletRequest request, HttpServletResponse response, Exception cause) throws IOException {
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
	 * client takes a partial response for a complete one. If it has not begun, and the
	 * reason is inside of another exception, the reason is the response.
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
