package dev.agentsessions.adk;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.json.FieldNames;

/** Accepts query parameters in snake_case, as fields of bodies are accepted. */
@Component
class SnakeCaseParameterFilter extends OncePerRequestFilter {

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String query = request.getQueryString();
		return query == null || query.indexOf('_') < 0
				|| !request.getRequestURI().startsWith(request.getContextPath() + "/apps/");
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		chain.doFilter(new Renamed(request), response);
	}

	private static String renamed(String name) {
		String camelCase = FieldNames.toCamelCase(name);
		return QueryParameters.NAMES.contains(camelCase) ? camelCase : name;
	}

	/** The request with its known query parameters in camelCase. */
	private static final class Renamed extends HttpServletRequestWrapper {

		Renamed(HttpServletRequest request) {
			super(request);
		}

		@Override
		public String getQueryString() {
			return Arrays.stream(super.getQueryString().split("&"))
				.map(Renamed::renamedPair)
				.collect(Collectors.joining("&"));
		}

		private static String renamedPair(String pair) {
			int end = (pair.indexOf('=') < 0) ? pair.length() : pair.indexOf('=');
			return renamed(pair.substring(0, end)) + pair.substring(end);
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			Map<String, String[]> parameters = new LinkedHashMap<>();
			super.getParameterMap().forEach((name, values) -> parameters.merge(renamed(name), values,
					(some, more) -> Stream.of(some, more).flatMap(Arrays::stream).toArray(String[]::new)));
			return Collections.unmodifiableMap(parameters);
		}

		@Override
		public Enumeration<String> getParameterNames() {
			return Collections.enumeration(getParameterMap().keySet());
		}

		@Override
		public String @Nullable [] getParameterValues(String name) {
			return getParameterMap().get(name);
		}

		@Override
		public @Nullable String getParameter(String name) {
			String[] values = getParameterValues(name);
			return (values != null) ? values[0] : null;
		}

	}

}
