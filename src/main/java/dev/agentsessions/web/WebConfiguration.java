package dev.agentsessions.web;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.ServletRequestDataBinder;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.InitBinderDataBinderFactory;
import org.springframework.web.method.support.InvocableHandlerMethod;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletRequestDataBinderFactory;

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

			@Override
			public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
				return new ParametersAdapter();
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

	/** Fills the parameters of controllers with a {@link ParameterBinder}. */
	private static final class ParametersAdapter extends RequestMappingHandlerAdapter {

		@Override
		protected InitBinderDataBinderFactory createDataBinderFactory(List<InvocableHandlerMethod> binderMethods) {
			return new ServletRequestDataBinderFactory(binderMethods, getWebBindingInitializer()) {

				@Override
				protected ServletRequestDataBinder createBinderInstance(@Nullable Object target, String name,
						NativeWebRequest request) {
					return new ParameterBinder(target, name);
				}

			};
		}

	}

	/**
	 * Applies to every path, also to the paths of the actuator, which have a handler
	 * mapping of their own.
	 */
	@Bean
	static MappedInterceptor requestRules() {
		return new MappedInterceptor(null, new RequestValidator());
	}

}
