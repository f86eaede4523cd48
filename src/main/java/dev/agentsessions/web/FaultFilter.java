package dev.agentsessions.web;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.CloseNowException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

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

}
