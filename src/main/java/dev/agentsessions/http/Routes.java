package dev.agentsessions.http;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the method that answers a request. Spring compares each request with each route,
 * which costs an append more with every route that there is; most of them are longer or
 * shorter than the path, and are passed over.
 */
class Routes extends RequestMappingHandlerMapping {

	private static final Pattern VARIABLE = Pattern.compile("\\{[^*{}]*}");

	/** Paths of any length, or of several ones. */
	private static final int ANY = 0;

	/** How many separators and segments a path has that a route may be for. */
	private final Map<RequestMappingInfo, Integer> lengths = new HashMap<>();

	@Override
	protected void registerHandlerMethod(Object handler, Method method, RequestMappingInfo route) {
		super.registerHandlerMethod(handler, method, route);
		this.lengths.put(route,
				route.getPatternValues()
					.stream()
					.map(Routes::length)
					.reduce((one, other) -> one.equals(other) ? one : ANY)
					.orElse(ANY));
	}

	private static int length(String pattern) {
		String plain = VARIABLE.matcher(pattern).replaceAll("x");
		boolean fixed = plain.startsWith("/") && !plain.endsWith("/") && !plain.contains("*");
		return fixed ? 2 * (int) plain.chars().filter((character) -> character == '/').count() : ANY;
	}

	@Override
	protected @Nullable HandlerMethod lookupHandlerMethod(String path, HttpServletRequest request) throws Exception {
		return super.lookupHandlerMethod(path, new MeasuredRequest(request));
	}

	@Override
	protected @Nullable RequestMappingInfo getMatchingMapping(RequestMappingInfo route, HttpServletRequest request) {
		int length = this.lengths.getOrDefault(route, ANY);
		boolean possible = length == ANY || !(request instanceof MeasuredRequest measured) || length == measured.length;
		return possible ? super.getMatchingMapping(route, request) : null;
	}

	/** Knows the length of its path, which is asked for each route. */
	private static final class MeasuredRequest extends HttpServletRequestWrapper {

		private final int length;

		MeasuredRequest(HttpServletRequest request) {
			super(request);
			this.length = ServletRequestPathUtils.getParsedRequestPath(request)
				.pathWithinApplication()
				.elements()
				.size();
		}

	}

}
