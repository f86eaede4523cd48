package dev.agentsessions.web.body;

import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.web.HttpProperties;

/** Configures JSON objects as the bodies of requests, for all dialects. */
@Configuration(proxyBeanMethods = false)
class JsonBodyConfiguration implements WebMvcConfigurer {

	private final HttpProperties properties;

	private final BodyLimits limits;

	private final RequestHeapFilter memoryFilter;

	JsonBodyConfiguration(HttpProperties properties, BodyLimits limits, RequestHeapFilter memoryFilter) {
		this.properties = properties;
		this.limits = limits;
		this.memoryFilter = memoryFilter;
	}

	@Override
	public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
		converters.addCustomConverter(new JsonObjectMessageConverter(this.properties, this.limits, this.memoryFilter));
		converters.configureMessageConvertersList((all) -> all.removeIf(JsonBodyConfiguration::isYaml));
	}

	/**
	 * Refuses a body that is announced as too large before Spring MVC waits for its first
	 * byte.
	 */
	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new HandlerInterceptor() {

			@Override
			public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
				if (handler instanceof HandlerMethod method && hasJsonBody(method)) {
					JsonBodyConfiguration.this.limits.of(request).check(request.getContentLengthLong());
				}
				return true;
			}

		});
	}

	private static boolean hasJsonBody(HandlerMethod method) {
		return Stream.of(method.getMethodParameters())
			.anyMatch((parameter) -> parameter.getParameterType() == JsonObject.class);
	}

	/**
	 * The OpenAPI library adds a converter that would read bodies in YAML and bypass the
	 * limits of JSON.
	 */
	private static boolean isYaml(HttpMessageConverter<?> converter) {
		return converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML);
	}

}
