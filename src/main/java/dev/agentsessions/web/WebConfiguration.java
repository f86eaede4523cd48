package dev.agentsessions.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** How Spring MVC reads requests, for all dialects. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

	@Bean
	static WebMvcRegistrations registrations() {
		return new WebMvcRegistrations() {

			@Override
			public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
				return new Routes();
			}

			@Override
			public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
				return new TextArguments();
			}

			@Override
			public ExceptionHandlerExceptionResolver getExceptionHandlerExceptionResolver() {
				return new ProblemResolver();
			}

		};
	}

	/**
	 * Spring would leave to the servlet container, and its stack traces, what goes wrong
	 * before a redirect is answered, which no method of a controller does.
	 */
	private static final class ProblemResolver extends ExceptionHandlerExceptionResolver {

		@Override
		protected boolean shouldApplyTo(HttpServletRequest request, @Nullable Object handler) {
			return true;
		}

	}

	/** For every path, also those of the actuator, which Spring looks for elsewhere. */
	@Bean
	static MappedInterceptor requestRules() {
		return new MappedInterceptor(null, new RequestValidator());
	}

}
