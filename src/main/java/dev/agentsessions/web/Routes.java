package dev.agentsessions.web;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the method that answers a request. Spring compares each request with each route,
 * which costs an append more with every route that there is; most of them are longer or
 * shorter than the path, or have another word in it, and are passed over.
 */
class Routes extends RequestMappingHandlerMapping {

	private static final Pattern SLASH = Pattern.compile("/");

	private static final Pattern VARIABLE = Pattern.compile("[{*?]");

	/** Any one segment. */
	private static final String ANY = "*";

	/** As far as they are known; not of a route that fits paths of several lengths. */
	private final Map<RequestMappingInfo, List<String>> segments = new HashMap<>();

	@Override
	protected void registerHandlerMethod(Object handler, Method method, RequestMappingInfo route) {
		super.registerHandlerMethod(handler, method, route);
		Set<String> patterns = route.getPatternValues();
		if (patterns.size() == 1) {
			String pattern = patterns.iterator().next();
			if (hasOneLength(pattern)) {
				this.segments.put(route, segments(pattern));
			}
		}
	}

	private static boolean hasOneLength(String pattern) {
		return pattern.startsWith("/") && !pattern.endsWith("/") && !pattern.contains("**") && !pattern.contains("{*");
	}

	private static List<String> segments(String pattern) {
		return Arrays.stream(SLASH.split(pattern.substring(1)))
			.map((segment) -> VARIABLE.matcher(segment).find() ? ANY : segment)
			.toList();
	}

	@Override
	protected @Nullable HandlerMethod lookupHandlerMethod(String path, HttpServletRequest request) throws Exception {
		return super.lookupHandlerMethod(path, new SplitRequest(request));
	}

	@Override
	protected @Nullable RequestMappingInfo getMatchingMapping(RequestMappingInfo route, HttpServletRequest request) {
		List<String> known = this.segments.get(route);
		boolean possible = known == null || !(request instanceof SplitRequest split) || split.mayBe(known);
		return possible ? super.getMatchingMapping(route, request) : null;
	}

	/** Knows the segments of its path, which are compared with those of each route. */
	private static final class SplitRequest extends HttpServletRequestWrapper {

		private final List<PathContainer.Element> elements;

		SplitRequest(HttpServletRequest request) {
			super(request);
			this.elements = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication().elements();
		}

		boolean mayBe(List<String> route) {
			if (this.elements.size() != 2 * route.size()) {
				return false;
			}
			for (int i = 0; i < route.size(); i++) {
				String known = route.get(i);
				if (!known.equals(ANY) && !known.equals(segment(i))) {
					return false;
				}
			}
			return true;
		}

		/** Each one follows a slash. */
		private @Nullable String segment(int i) {
			return (this.elements.get(2 * i + 1) instanceof PathSegment segment) ? segment.valueToMatch() : null;
		}

	}

}
