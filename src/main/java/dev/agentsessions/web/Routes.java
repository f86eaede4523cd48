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
 * Finds the controller method for a request. Spring compares each request with each
 * route, so every route makes an append slower. This class skips the routes that have
 * another number of segments than the path, or another fixed segment.
 */
class Routes extends RequestMappingHandlerMapping {

	private static final Pattern SLASH = Pattern.compile("/");

	private static final Pattern VARIABLE = Pattern.compile("[{*?]");

	/** Matches any one segment. */
	private static final String ANY = "*";

	/**
	 * The segments of each route. Routes that match paths of several lengths are absent.
	 */
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
		boolean possible = known == null || !(request instanceof SplitRequest split) || split.mayMatch(known);
		return possible ? super.getMatchingMapping(route, request) : null;
	}

	/**
	 * A request that knows the segments of its path, to compare them with those of each
	 * route.
	 */
	private static final class SplitRequest extends HttpServletRequestWrapper {

		private final List<PathContainer.Element> elements;

		SplitRequest(HttpServletRequest request) {
			super(request);
			this.elements = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication().elements();
		}

		boolean mayMatch(List<String> route) {
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

		/** Elements alternate between a slash and a segment. */
		private @Nullable String segment(int i) {
			return (this.elements.get(2 * i + 1) instanceof PathSegment segment) ? segment.valueToMatch() : null;
		}

	}

}
