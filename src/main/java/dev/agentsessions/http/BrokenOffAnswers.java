package dev.agentsessions.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Has an answer that cannot be finished end without an end: the connection is cut, so
 * that no client takes the half for the whole.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BrokenOffAnswers implements HandlerExceptionResolver {

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (response.isCommitted() && !isAnsweredByTomcat(response)) {
			throw new IllegalStateException("An answer that had begun could not be finished", ex);
		}
		return null;
	}

	/**
	 * To a body that does not come, Tomcat has said so itself; nothing of it is sent yet.
	 */
	private static boolean isAnsweredByTomcat(HttpServletResponse response) {
		return HttpStatusCode.valueOf(response.getStatus()).isError();
	}

}
