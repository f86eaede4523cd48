package dev.agentsessions.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.BodyReader.BodyParser;
import dev.agentsessions.web.RequestHeapFilter.BodyLimits;

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

	/**
	 * Reads the body of a request. Refuses a body that is not UTF-8, because it could not
	 * be stored as it was sent. JSON null means no body, as in ADK's server.
	 */
	public static class JsonObjectMessageConverter extends AbstractHttpMessageConverter<JsonObject> {

		private static final MediaType ANY_JSON = new MediaType("application", "*+json");

		/**
		 * The maximum number of characters of a body that is JSON null, with spaces
		 * around it.
		 */
		private static final int MAX_NULL_CHARS = 1000;

		private final BodyParser parser;

		private final HttpProperties properties;

		private final BodyLimits limits;

		private final RequestHeapFilter memoryFilter;

		public JsonObjectMessageConverter(HttpProperties properties, BodyLimits limits,
				RequestHeapFilter memoryFilter) {
			super(StandardCharsets.UTF_8, MediaType.APPLICATION_JSON, ANY_JSON);
			this.parser = BodyParser.ofBodies(properties);
			this.properties = properties;
			this.limits = limits;
			this.memoryFilter = memoryFilter;
		}

		@Override
		protected boolean supports(Class<?> type) {
			return type == JsonObject.class;
		}

		@Override
		public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
			return false;
		}

		/**
		 * Returns {@code null} for no body. Spring accepts this, but the superclass does
		 * not declare it.
		 */
		@Override
		@SuppressWarnings("NullAway")
		protected @Nullable JsonObject readInternal(Class<? extends JsonObject> type, HttpInputMessage message)
				throws IOException {
			HttpServletRequest request = currentRequest();
			BodyLimit limit = this.limits.of(request);
			long announced = request.getContentLengthLong();
			limit.check(announced);
			BodyReader body = new BodyReader(limit, this.properties.bodyTimeout(), RequestHeapFilter.of(request));
			String text = BodyLimit.isGzip(request) ? body.readCompressedText(message.getBody(), announced)
					: body.readText(message.getBody(), announced);
			return isNull(text) ? null : this.memoryFilter.parse(this.parser, text,
					(tokens) -> RequestHeapFilter.takeTokens(request, tokens));
		}

		private static boolean isNull(String text) {
			return text.length() < MAX_NULL_CHARS && text.strip().equals("null");
		}

		/** The input message does not have the path of the request. */
		private static HttpServletRequest currentRequest() {
			return ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
		}

		@Override
		protected void writeInternal(JsonObject object, HttpOutputMessage response) {
			throw new HttpMessageNotWritableException("Only read");
		}

	}

}
