package dev.agentsessions.web.body;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.web.HttpProperties;

/** Request bodies are JSON objects, in all dialects. */
@Configuration(proxyBeanMethods = false)
class JsonBodyConfiguration implements WebMvcConfigurer {

	private final HttpProperties properties;

	private final BodyLimits limits;

	private final RequestMemoryFilter memoryLimiter;

	JsonBodyConfiguration(HttpProperties properties, BodyLimits limits, RequestMemoryFilter memoryLimiter) {
		this.properties = properties;
		this.limits = limits;
		this.memoryLimiter = memoryLimiter;
	}

	@Override
	public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
		converters.addCustomConverter(new JsonObjectMessageConverter(this.properties, this.limits, this.memoryLimiter));
		converters.configureMessageConvertersList((all) -> all.removeIf(JsonBodyConfiguration::isYaml));
	}

	/**
	 * The OpenAPI library brings a converter that would read bodies in YAML, past the
	 * limits of JSON.
	 */
	private static boolean isYaml(HttpMessageConverter<?> converter) {
		return converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML);
	}

}
