package dev.agentsessions.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.session.SessionException;

/** How Spring MVC reads requests, for all dialects. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

	private final HttpProperties properties;

	WebConfiguration(HttpProperties properties) {
		this.properties = properties;
	}

	@Override
	public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
		converters.addCustomConverter(new JsonBodyReader(this.properties.maxBodySize().toBytes()));
		converters.configureMessageConvertersList((all) -> all.removeIf(WebConfiguration::isYaml));
	}

	/**
	 * OpenAPI tools bring a converter that would read bodies in YAML, without any rule.
	 */
	private static boolean isYaml(HttpMessageConverter<?> converter) {
		return converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML);
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new NoPathParameters());
	}

	/**
	 * Refuses what follows a semicolon; Spring would drop it and find another session.
	 */
	private static final class NoPathParameters implements HandlerInterceptor {

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
			if (request.getRequestURI().indexOf(';') >= 0) {
				throw new SessionException.InvalidArgument("The path", "must not contain ;");
			}
			return true;
		}

	}

}
