package dev.agentsessions.web;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.SessionPath.PathVariables;

/** Refuses paths, queries and headers that no dialect can process. */
final class RequestValidator implements HandlerInterceptor {

	/** They come from other systems, or are paths themselves. */
	private static final Set<String> NAMES_WITH_SLASHES = Set.of("userId", "artifact");

	private static final String SPRING_BOOT = "org.springframework.boot.";

	private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

	/** The methods whose requests are not safe to repeat by themselves. */
	private static final Set<String> CHANGES = Set.of("POST", "PUT", "PATCH");

	private static final ContentNegotiationStrategy ACCEPT = new HeaderContentNegotiationStrategy();

	private static final List<MediaType> JSON_TYPES = List.of(MediaType.APPLICATION_JSON,
			new MediaType("application", "*+json"));

	private static final Pattern ENCODED_SLASH = Pattern.compile("%2[Ff]");

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws HttpMediaTypeNotAcceptableException {
		checkPath(request.getRequestURI());
		checkEndpoint(request.getRequestURI(), handler);
		PathVariables.of(request).forEach(RequestValidator::checkName);
		parameters(request).forEach(RequestValidator::checkParameter);
		checkContentType(request.getContentType());
		checkEncoding(request);
		checkIdempotencyKey(request, handler);
		if (!READS.contains(request.getMethod()) && hasJsonResponse(handler)) {
			checkAccept(request);
		}
		return true;
	}

	/** Spring would remove the text after a semicolon and find another session. */
	private static void checkPath(String path) {
		if (path.indexOf(';') >= 0) {
			throw new SessionException.InvalidArgument("The path", "must not contain ;");
		}
	}

	/**
	 * The health endpoint of the actuator splits the rest of a path into names, and fails
	 * if a name contains a slash.
	 */
	private static void checkEndpoint(String path, Object handler) {
		if (handler instanceof HandlerMethod method && method.getBeanType().getName().startsWith(SPRING_BOOT)
				&& ENCODED_SLASH.matcher(path).find()) {
			throw new SessionException.InvalidArgument("The path", "must not contain %2F");
		}
	}

	private static void checkName(String field, String name) {
		if (!NAMES_WITH_SLASHES.contains(field)) {
			Identifiers.checkOneStep(field, name);
		}
	}

	private static Map<String, String[]> parameters(HttpServletRequest request) {
		try {
			return request.getParameterMap();
		}
		catch (InvalidParameterException ex) {
			throw new SessionException.InvalidArgument("The query",
					"must be UTF-8, percent-encoded, with fewer than 1,000 parameters");
		}
	}

	/** The database cannot compare values with U+0000. */
	private static void checkParameter(String name, String[] values) {
		if (Stream.of(values).anyMatch((value) -> value.indexOf(0) >= 0)) {
			throw new SessionException.InvalidArgument(name, "must not contain U+0000");
		}
	}

	/**
	 * A few bytes of a compressed body can expand to any size, and only JSON objects have
	 * a limit of their size.
	 */
	private static void checkEncoding(HttpServletRequest request) {
		String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
		boolean plain = encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
		if (!plain && !(BodyLimit.isGzip(request) && isJson(request.getContentType()))) {
			throw unsupported("Only a JSON object may have a Content-Encoding, and only gzip. "
					+ "Other bodies, such as imports, must be sent without it");
		}
	}

	private static boolean isJson(@Nullable String contentType) {
		try {
			MediaType type = MediaType.valueOf(String.valueOf(contentType));
			return JSON_TYPES.stream().anyMatch((json) -> json.includes(type));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	/**
	 * A client that sends the header relies on it. Where no controller reads it, a
	 * repeated request would store twice.
	 */
	private static void checkIdempotencyKey(HttpServletRequest request, Object handler) {
		if (CHANGES.contains(request.getMethod()) && request.getHeader(ApiHeaders.IDEMPOTENCY_KEY) != null
				&& !readsIdempotencyKey(handler)) {
			throw new SessionException.InvalidArgument(ApiHeaders.IDEMPOTENCY_KEY,
					"is not supported here: give each event an id. Then a repeated request stores nothing twice");
		}
	}

	private static boolean readsIdempotencyKey(Object handler) {
		return handler instanceof HandlerMethod method && Stream.of(method.getMethodParameters())
			.map((parameter) -> parameter.getParameterAnnotation(RequestHeader.class))
			.anyMatch((header) -> header != null && header.name().equals(ApiHeaders.IDEMPOTENCY_KEY));
	}

	/** Spring fails, without a response of its own, when it parses a wildcard. */
	private static void checkContentType(@Nullable String contentType) {
		if (contentType != null && contentType.indexOf('*') >= 0) {
			throw unsupported("Content-Type must name one type, without *");
		}
	}

	/** Spring's own exception would not show the message to the client. */
	private static ErrorResponseException unsupported(String message) {
		return BodyReader.problem(HttpStatus.UNSUPPORTED_MEDIA_TYPE, message, null);
	}

	private static boolean hasJsonResponse(Object handler) {
		return handler instanceof HandlerMethod method && !method.isVoid()
				&& method.getBeanType().isAnnotationPresent(RestController.class);
	}

	/**
	 * Spring looks at this header when it writes the response. A write must not be stored
	 * if the client would get an error afterwards.
	 */
	private static void checkAccept(HttpServletRequest request) throws HttpMediaTypeNotAcceptableException {
		List<MediaType> accepted = ACCEPT.resolveMediaTypes(new ServletWebRequest(request));
		if (accepted.stream().noneMatch((type) -> JSON_TYPES.stream().anyMatch(type::isCompatibleWith))) {
			throw new HttpMediaTypeNotAcceptableException(JSON_TYPES);
		}
	}

}
