package dev.agentsessions.web.direct;

import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

import dev.agentsessions.web.ApiHeaders;

/** Decides whether the query and the headers of a request have the plain form. */
final class PlainRequest {

	private static final Set<String> ACCEPTED = Set.of(MediaType.ALL_VALUE, MediaType.APPLICATION_JSON_VALUE);

	private static final Pattern PAIRS = Pattern.compile("&");

	/** Of forms, Spring MVC takes parameters from the body. */
	private static final Pattern TYPE_OF_BYTES = Pattern
		.compile("(?!multipart/|application/x-www-form)[a-z]+/[a-z0-9.+-]+(?:; ?charset=(?:utf|UTF)-8)?");

	private PlainRequest() {
	}

	static boolean hasPlainHeaders(HttpServletRequest request, DirectRoute route) {
		return isAccepted(request.getHeaders(HttpHeaders.ACCEPT))
				&& request.getHeader(HttpHeaders.CONTENT_ENCODING) == null && (!route.hasJson() || hasOnlyJson(request))
				&& (!route.hasBytes() || hasOnlyBytes(request))
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
		return MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType()) && request.getContentLengthLong() > 0
				&& request.getHeader(ApiHeaders.IDEMPOTENCY_KEY) == null;
	}

	private static boolean hasOnlyBytes(HttpServletRequest request) {
		String type = request.getContentType();
		return type == null || TYPE_OF_BYTES.matcher(type).matches();
	}

	/**
	 * Returns the query parameters, or {@code null} if one is unknown, is given twice, or
	 * has a value that needs Spring's conversion.
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
