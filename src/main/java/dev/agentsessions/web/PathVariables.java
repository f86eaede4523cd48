package dev.agentsessions.web;

import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.servlet.HandlerMapping;

/** The names in the path of a request. */
public final class PathVariables {

	private PathVariables() {
	}

	/**
	 * Returns the decoded names by their variables in the pattern of the route; none if
	 * there is no route. An encoded slash is part of a name and does not separate names.
	 */
	@SuppressWarnings("unchecked")
	public static Map<String, String> of(HttpServletRequest request) {
		Object names = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
		return (names != null) ? (Map<String, String>) names : Map.of();
	}

	/** Returns the names in the path of a request, as {@link #of(HttpServletRequest)}. */
	public static Map<String, String> of(NativeWebRequest request) {
		return of(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
	}

	/** Returns a name that all paths of a controller have. */
	public static String required(Map<String, String> names, String variable) {
		return Objects.requireNonNull(names.get(variable));
	}

}
