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

	private PlainRequest() {
	}

	static boolean hasPlainHeaders(HttpServletRequest request, DirectRoute route) {
		return isAccepted(request.getHeaders(HttpHeaders.ACCEPT))
				&& request.getHeader(HttpHeaders.CONTENT_ENCODING) == null && (!route.hasBody() || hasOnlyJson(request))
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
