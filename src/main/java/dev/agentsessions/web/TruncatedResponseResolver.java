package dev.agentsessions.web;

import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Cuts the connection if a response has begun and cannot be completed, so that no client
 * takes a partial response for a complete one.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TruncatedResponseResolver implements HandlerExceptionResolver {

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (hasClientHungUp(ex)) {
			return new ModelAndView();
		}
		if (response.isCommitted() && !isRefusedByTomcat(response)) {
			throw new IllegalStateException("A response that had begun could not be completed", ex);
		}
		return null;
	}

	/** The client disconnected: there is no response to send and no error to log. */
	private static boolean hasClientHungUp(Exception ex) {
		return Stream.<Throwable>iterate(ex, Objects::nonNull, Throwable::getCause)
			.anyMatch(AsyncRequestNotUsableException.class::isInstance);
	}

	/**
	 * If a body does not arrive, Tomcat has already set the status of an error. Nothing
	 * of that response is sent yet.
	 */
	private static boolean isRefusedByTomcat(HttpServletResponse response) {
		return HttpStatusCode.valueOf(response.getStatus()).isError();
	}

}
