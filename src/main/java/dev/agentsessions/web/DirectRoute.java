package dev.agentsessions.web;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletResponse;

/**
 * A route under the path of a session.
 *
 * @param method {@code GET}, {@code POST} for a route with a JSON object as its body, or
 * {@code PUT} for a route whose controller reads a body of any type
 * @param subpath the rest of the path after the session, for example {@code /events}
 * @param parameters the names and types of the query parameters. A request with another
 * one goes through Spring MVC
 * @param headers the headers that the route reads. A request with one of them twice goes
 * through Spring MVC
 * @param action calls the controller
 */
public record DirectRoute(String method, String subpath, Map<String, PlainValue> parameters, Collection<String> headers,
		Action action) {

	static final String SESSION = "/apps/{appName}/users/{userId}/sessions/{sessionId}";

	public DirectRoute {
		parameters = Map.copyOf(parameters);
		headers = Set.copyOf(headers);
	}

	/** Returns the pattern that metrics, traces and the log of requests show. */
	String pattern() {
		return SESSION + this.subpath;
	}

	boolean hasJson() {
		return this.method.equals("POST");
	}

	boolean hasBytes() {
		return this.method.equals("PUT");
	}

	/** Calls the controller. */
	@FunctionalInterface
	public interface Action {

		/**
		 * Returns the body of the answer, which is written as JSON, and sets the headers.
		 */
		Object respond(DirectRequest request, HttpServletResponse response) throws IOException;

	}

	/**
	 * The types of query parameters, and the values that mean the same to Spring MVC and
	 * to a direct route.
	 */
	public enum PlainValue {

		/** Letters, digits and signs that no client encodes. */
		TEXT("[A-Za-z0-9._~:-]+"),

		/** A whole number of up to nine digits. */
		NUMBER("0|[1-9][0-9]{0,8}"),

		/** {@code true} or {@code false}. */
		FLAG("true|false");

		private final Pattern pattern;

		PlainValue(String pattern) {
			this.pattern = Pattern.compile(pattern);
		}

		static PlainValue of(Class<?> type) {
			if (type == String.class) {
				return TEXT;
			}
			return (type == Boolean.class) ? FLAG : NUMBER;
		}

		boolean matches(String value) {
			return this.pattern.matcher(value).matches();
		}

	}

}
