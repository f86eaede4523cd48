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
 * Has an answer that cannot be finished end without an end: the connection is cut, so
 * that no client takes the half for the whole.
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
		if (response.isCommitted() && !isAnsweredByTomcat(response)) {
			throw new IllegalStateException("An answer that had begun could not be finished", ex);
		}
		return null;
	}

	/** Then there is nobody to tell, and no fault to log. */
	private static boolean hasClientHungUp(Exception ex) {
		return Stream.<Throwable>iterate(ex, Objects::nonNull, Throwable::getCause)
			.anyMatch(AsyncRequestNotUsableException.class::isInstance);
	}

	/**
	 * To a body that does not come, Tomcat has said so itself; nothing of it is sent yet.
	 */
	private static boolean isAnsweredByTomcat(HttpServletResponse response) {
		return HttpStatusCode.valueOf(response.getStatus()).isError();
	}

}
