package dev.agentsessions.web;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import dev.agentsessions.json.JsonObject;

/** Reads and writes JSON with the message converters of Spring MVC. */
@Component
@ConditionalOnWebApplication
class JsonMessages {

	private final List<HttpMessageConverter<?>> converters;

	private final HttpMessageConverter<JsonObject> reader;

	private final Map<Class<?>, HttpMessageConverter<Object>> writers = new ConcurrentHashMap<>();

	@SuppressWarnings("unchecked")
	JsonMessages(RequestMappingHandlerAdapter adapter) {
		this.converters = adapter.getMessageConverters();
		this.reader = (HttpMessageConverter<JsonObject>) this.converters.stream()
			.filter((each) -> each.canRead(JsonObject.class, MediaType.APPLICATION_JSON))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Reads the body of a request.
	 * @throws HttpMessageNotReadableException if it is JSON null or does not arrive, as
	 * Spring MVC does
	 */
	JsonObject read(HttpServletRequest request) {
		ServletServerHttpRequest message = new ServletServerHttpRequest(request);
		try {
			JsonObject body = this.reader.read(JsonObject.class, message);
			if (body == null) {
				throw new HttpMessageNotReadableException("The request has no body", message);
			}
			return body;
		}
		catch (IOException ex) {
			throw new HttpMessageNotReadableException("The body cannot be read", ex, message);
		}
	}

	/**
	 * Writes the body of a response. The response stays open, because a failure can still
	 * become a problem detail.
	 */
	@SuppressWarnings("resource")
	void write(HttpServletResponse response, Object body) throws IOException {
		this.writers.computeIfAbsent(body.getClass(), this::writer)
			.write(body, MediaType.APPLICATION_JSON, new ServletServerHttpResponse(response));
	}

	@SuppressWarnings("unchecked")
	private HttpMessageConverter<Object> writer(Class<?> type) {
		return (HttpMessageConverter<Object>) this.converters.stream()
			.filter((each) -> each.canWrite(type, MediaType.APPLICATION_JSON))
			.findFirst()
			.orElseThrow();
	}

}
