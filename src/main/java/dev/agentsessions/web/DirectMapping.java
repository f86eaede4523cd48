package dev.agentsessions.web;

import java.io.IOException;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.web.DirectRequest.PlainPath;
import dev.agentsessions.web.DirectRoute.PlainValue;

/**
 * Finds the direct route of a request in the plain form. It comes before Spring MVC's own
 * mapping, which gets all other requests. The plain form leaves nothing for the
 * interceptors of the other mapping to refuse.
 */
@Component
@ConditionalOnWebApplication
class DirectMapping implements HandlerMapping, Ordered {

	/** By method and rest of the path. */
	private final Map<String, DirectRoute> routes;

	private final JsonMessages messages;

	DirectMapping(List<DirectRoute> routes, JsonMessages messages) {
		this.routes = routes.stream()
			.collect(Collectors.toUnmodifiableMap((route) -> route.method() + route.subpath(), Function.identity()));
		this.messages = messages;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable HandlerExecutionChain getHandler(HttpServletRequest request) {
		PlainPath path = PlainPath.of(request.getRequestURI().substring(request.getContextPath().length()));
		DirectRoute route = (path != null) ? this.routes.get(request.getMethod() + path.subpath()) : null;
		if (path == null || route == null || !PlainRequest.hasPlainHeaders(request, route)) {
			return null;
		}
		Map<String, String> parameters = PlainRequest.parameters(request.getQueryString(), route.parameters());
		if (parameters == null) {
			return null;
		}
		request.setAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE, route.pattern());
		request.setAttribute(URI_TEMPLATE_VARIABLES_ATTRIBUTE, path.variables());
		return new HandlerExecutionChain(handler(route, path, parameters));
	}

	private HttpRequestHandler handler(DirectRoute route, PlainPath path, Map<String, String> parameters) {
		return (request, response) -> this.messages.write(response, route.action()
			.respond(new DirectRequest(request, path, parameters, route.hasJson() ? this.messages.read(request) : null),
					response));
	}

	/** Decides whether the query and the headers of a request have the plain form. */
	private static final class PlainRequest {

		private static final Set<String> ACCEPTED = Set.of(MediaType.ALL_VALUE, MediaType.APPLICATION_JSON_VALUE);

		private static final Pattern PAIRS = Pattern.compile("&");

		/** Of forms, Spring MVC takes parameters from the body. */
		private static final Pattern TYPE_OF_BYTES = Pattern
			.compile("(?!multipart/|application/x-www-form)[a-z]+/[a-z0-9.+-]+(?:; ?charset=(?:utf|UTF)-8)?");

		private PlainRequest() {
		}

		static boolean hasPlainHeaders(HttpServletRequest request, DirectRoute route) {
			return isAccepted(request.getHeaders(HttpHeaders.ACCEPT))
					&& request.getHeader(HttpHeaders.CONTENT_ENCODING) == null
					&& (!route.hasJson() || hasOnlyJson(request)) && (!route.hasBytes() || hasOnlyBytes(request))
					&& route.headers().stream().noneMatch((name) -> isGivenTwice(request.getHeaders(name)));
		}

		private static boolean isGivenTwice(Enumeration<String> values) {
			if (values.hasMoreElements()) {
				values.nextElement();
			}
			return values.hasMoreElements();
		}

		private static boolean isAccepted(Enumeration<String> accept) {
			return !accept.hasMoreElements() || ACCEPTED.contains(accept.nextElement()) && !accept.hasMoreElements();
		}

		private static boolean hasOnlyJson(HttpServletRequest request) {
			return MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType())
					&& request.getContentLengthLong() > 0 && request.getHeader(ApiHeaders.IDEMPOTENCY_KEY) == null;
		}

		private static boolean hasOnlyBytes(HttpServletRequest request) {
			String type = request.getContentType();
			return type == null || TYPE_OF_BYTES.matcher(type).matches();
		}

		/**
		 * Returns the query parameters, or {@code null} if one is unknown, is given
		 * twice, or has a value that needs Spring's conversion.
		 */
		static @Nullable Map<String, String> parameters(@Nullable String query, Map<String, PlainValue> known) {
			if (query == null) {
				return Map.of();
			}
			Map<String, String> parameters = new HashMap<>();
			for (String pair : PAIRS.split(query, -1)) {
				int end = pair.indexOf('=');
				PlainValue type = (end > 0) ? known.get(pair.substring(0, end)) : null;
				String value = pair.substring(end + 1);
				if (type == null || !type.matches(value) || parameters.put(pair.substring(0, end), value) != null) {
					return null;
				}
			}
			return parameters;
		}

	}

	/** Reads and writes JSON with the message converters of Spring MVC. */
	@Component
	@ConditionalOnWebApplication
	static class JsonMessages {

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
		 * @throws HttpMessageNotReadableException if it is JSON null or does not arrive,
		 * as Spring MVC does
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
		 * Writes the body of a response. The response stays open, because a failure can
		 * still become a problem detail.
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

}
