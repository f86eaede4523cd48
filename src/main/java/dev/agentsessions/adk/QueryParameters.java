package dev.agentsessions.adk;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
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
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.web.InlineDataStripper;
import dev.agentsessions.web.SessionPath;

/**
 * The query parameters of this dialect: their names, and the parsing that several
 * requests share.
 */
public final class QueryParameters {

	private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

	/** The parameters of all routes. */
	static final Set<String> NAMES = Set.of("afterSeq", "afterTimestamp", "around", "atSeq", "author", "bodyStyle",
			"by", "content", "displayName", "error", "etag", "exceptSessionId", "facts", "from", "fromSeq",
			"includeEval", "includeRevision", "includeState", "invocationId", "label", "lastUpdateTime", "limit",
			"minScore", "mode", "numRecentEvents", "order", "pageToken", "part", "parts", "prefix", "q", "seqs",
			"sessionId", "tool", "until", "version", "view", "waiting");

	private QueryParameters() {
	}

	/** Returns whether the newest items come first; {@code null} means {@code asc}. */
	public static boolean isNewestFirst(@Nullable String order) {
		return isSecond("order", order, "asc", "desc");
	}

	/**
	 * Returns whether a parameter has the second of its two values. A request without it
	 * means the first.
	 */
	public static boolean isSecond(String parameter, @Nullable String text, String first, String second) {
		String value = Objects.requireNonNullElse(text, first);
		if (!value.equals(first) && !value.equals(second)) {
			throw new InvalidArgument(parameter, "must be " + first + " or " + second);
		}
		return value.equals(second);
	}

	/**
	 * Returns the maximum number of items of a page.
	 * @param limit the requested number; {@code null} for the largest that is allowed
	 */
	public static int pageSize(@Nullable Integer limit) {
		InvalidArgument.check(limit == null || limit >= 1, "limit", "must be at least 1");
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	/** Returns which view of the history is read; {@code null} means {@code full}. */
	public static HistoryView view(@Nullable String view) {
		return isSecond("view", view, "full", "context") ? HistoryView.CONTEXT : HistoryView.FULL;
	}

	/** Returns which events are read with a session. */
	public static EventWindow window(@Nullable Integer numRecentEvents, @Nullable String afterTimestamp,
			@Nullable String view, @Nullable Long fromSeq) {
		InvalidArgument.check(numRecentEvents == null || numRecentEvents >= 0, "numRecentEvents",
				"must not be negative");
		InvalidArgument.check(fromSeq == null || fromSeq >= 1, "fromSeq", "must be at least 1");
		return new EventWindow(numRecentEvents, since(afterTimestamp), view(view), (fromSeq != null) ? fromSeq : 1);
	}

	/**
	 * Returns the mapper that gives events the requested representation.
	 * @param parts {@code full} or {@code null} for events as they were sent,
	 * {@code light} for events without large data
	 */
	public static UnaryOperator<Event> eventMapper(@Nullable String parts, SessionName name,
			HttpServletRequest request) {
		return isSecond("parts", parts, "full", "light") ? new InlineDataStripper(SessionPath.of(name, request))
				: UnaryOperator.identity();
	}

	/** Returns the time from which events are read; {@code null} for all events. */
	public static @Nullable Instant since(@Nullable String afterTimestamp) {
		return time("afterTimestamp", afterTimestamp);
	}

	/**
	 * Returns the time of a parameter; {@code null} if the request does not have it. Of a
	 * day in UTC ({@code 2026-11-14}), it is the begin.
	 */
	public static @Nullable Instant time(String parameter, @Nullable String text) {
		return time(parameter, text, "T00:00:00Z");
	}

	/**
	 * Returns the last time that a parameter includes; {@code null} if the request does
	 * not have it. A day in UTC is included as a whole.
	 */
	public static @Nullable Instant lastTime(String parameter, @Nullable String text) {
		return time(parameter, text, "T23:59:59.999999Z");
	}

	private static @Nullable Instant time(String parameter, @Nullable String text, String timeOfDay) {
		return (text == null) ? null
				: Timestamps.parse(parameter, DAY.matcher(text).matches() ? text + timeOfDay : text);
	}

	/** Accepts query parameters in snake_case, as fields of bodies are accepted. */
	@Component
	static class SnakeCaseParameterFilter extends OncePerRequestFilter {

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

}
