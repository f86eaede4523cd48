package dev.agentsessions.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/** Configures how Spring MVC reads requests, for all dialects. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

	@Bean
	static WebMvcRegistrations registrations() {
		return new WebMvcRegistrations() {

			@Override
			public ExceptionHandlerExceptionResolver getExceptionHandlerExceptionResolver() {
				return new ProblemResolver();
			}

		};
	}

	/**
	 * Also applies to handlers that are no methods of a controller, such as redirects.
	 * Spring would leave their errors to the servlet container, which responds with stack
	 * traces.
	 */
	private static final class ProblemResolver extends ExceptionHandlerExceptionResolver {

		@Override
		protected boolean shouldApplyTo(HttpServletRequest request, @Nullable Object handler) {
			return true;
		}

	}

	/**
	 * Applies to every path, also to those of the actuator, which have a handler mapping
	 * of their own.
	 */
	@Bean
	static MappedInterceptor requestRules() {
		return new MappedInterceptor(null, new RequestValidator());
	}

}
