package dev.agentsessions.console.list;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.console.list.SessionListPageController.QuickFilter;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.web.PageTokens;

/**
 * The query parameters of a page that lists sessions, as they were typed.
 *
 * @param filter conditions in words, such as {@code error: tool:book_hotel}; a condition
 * that has a parameter of its own is taken from there. Words that are no condition are
 * the prefix
 * @param prefix only sessions whose id or display name begins with this; blank for all
 * @param label only sessions with this label, {@code key=value}; blank for all
 * @param from only sessions with an event on this day or later; blank for all
 * @param until only sessions with an event on this day or earlier; blank for all
 * @param error whether to list only sessions with an event that reports an error
 * @param tool only sessions with an event that calls this tool or has its response; blank
 * for all
 * @param author only sessions with an event of this author; blank for all
 * @param waiting whether to list only sessions with a pending call
 * @param order the order of a list of all users: {@code time} for last updated first,
 * {@code user} for user by user; otherwise by time if anything is filtered
 * @param page the page token; {@code null} for the first page
 */
record ListParameters(@Nullable String filter, @Nullable String prefix, @Nullable String label, @Nullable String from,
		@Nullable String until, @Nullable Boolean error, @Nullable String tool, @Nullable String author,
		@Nullable Boolean waiting, @Nullable String order, @Nullable String page) {

	/** A condition, whose value may be in quotes, or another word. */
	private static final Pattern WORD = Pattern
		.compile("(?:(error|tool|author|label|since|until|waiting):)?(?:\"([^\"]*)\"|(\\S*))");

	/** Lists all sessions. */
	static final ListParameters NONE = new ListParameters(null, null, null, null, null, null, null, null, null, null,
			null);

	/** Lists the sessions with pending calls. */
	static final ListParameters WAITING = new ListParameters(null, null, null, null, null, null, null, null, true, null,
			null);

	private static final String LIST = "console sessions";

	private static final int PAGE_SIZE = 50;

	private static final int DAYS_OF_ERRORS = 7;

	/** The year after it must be a time as well. */
	private static final int LAST_YEAR = 9998;

	ListParameters {
		Map<String, String> words = words(filter);
		prefix = StringUtils.hasText(prefix) ? prefix : words.get("prefix");
		label = StringUtils.hasText(label) ? label : words.get("label");
		from = StringUtils.hasText(from) ? from : words.get("since");
		until = StringUtils.hasText(until) ? until : words.get("until");
		error = (error != null) ? error : words.containsKey("error") ? Boolean.TRUE : null;
		tool = StringUtils.hasText(tool) ? tool : words.get("tool");
		author = StringUtils.hasText(author) ? author : words.get("author");
		waiting = (waiting != null) ? waiting : words.containsKey("waiting") ? Boolean.TRUE : null;
	}

	private static Map<String, String> words(@Nullable String filter) {
		Map<String, String> words = new HashMap<>();
		Matcher word = WORD.matcher((filter != null) ? filter : "");
		while (word.find()) {
			String value = (word.group(2) != null) ? word.group(2) : word.group(3);
			if (word.group(1) != null) {
				words.put(word.group(1), value);
			}
			else if (!value.isEmpty()) {
				words.merge("prefix", value, (first, second) -> first + " " + second);
			}
		}
		return words;
	}

	/** Returns the filters in words. */
	public String words() {
		return filters().entrySet().stream().map(ListParameters::word).collect(Collectors.joining(" "));
	}

	/** Returns for each filter a link to the list without it. */
	public List<QuickFilter> chips() {
		return filters().entrySet().stream().map((filter) -> {
			Map<String, String> rest = filters();
			rest.remove(filter.getKey());
			return new QuickFilter(TruncatedText.line(word(filter)).text(), query(rest, null));
		}).toList();
	}

	private static String word(Map.Entry<String, String> filter) {
		String value = filter.getValue().contains(" ") ? '"' + filter.getValue() + '"' : filter.getValue();
		return switch (filter.getKey()) {
			case "prefix" -> filter.getValue();
			case "from" -> "since:" + value;
			case "error", "waiting" -> filter.getKey() + ":";
			default -> filter.getKey() + ":" + value;
		};
	}

	/** Returns the parameters for the errors of some days, by default the last ones. */
	ListParameters ofErrors(LocalDate today) {
		boolean none = this.from == null && this.until == null;
		return new ListParameters(null, null, null, none ? today.minusDays(DAYS_OF_ERRORS - 1L).toString() : this.from,
				none ? today.toString() : this.until, true, null, null, null, "time", this.page);
	}

	/** Returns the query of the page, for a user or for all users of an app. */
	SessionQuery toQuery(StateOwner owner, PageTokens tokens) {
		Filter filter = new Filter(null, labels(), true, Boolean.TRUE.equals(this.waiting), null, given(this.prefix));
		SessionQuery query = SessionQuery.of(owner,
				(owner.userId() == null && isByTime()) ? Order.UPDATE_TIME : Order.USER, true, PAGE_SIZE, filter,
				false);
		return !StringUtils.hasText(this.page) ? query
				: query.after(Position.of(tokens.position(this.page, LIST, List.of(query, condition()))));
	}

	/** Returns the condition that one event of each session has to meet. */
	EventCondition condition() {
		LocalDate first = day("from", this.from);
		LocalDate last = day("until", this.until);
		return new EventCondition((first != null) ? start(first) : null,
				(last != null) ? start(last.plusDays(1)).minus(1, ChronoUnit.MICROS) : null,
				Boolean.TRUE.equals(this.error), given(this.tool), given(this.author));
	}

	/** Returns whether the list is ordered by update time instead of by user. */
	public boolean isByTime() {
		return "time".equals(this.order) || !"user".equals(this.order) && isFiltered();
	}

	/** Returns the filters that are given, by the name of the parameter. */
	Map<String, String> filters() {
		Map<String, String> filters = new LinkedHashMap<>();
		put(filters, "prefix", this.prefix);
		put(filters, "label", this.label);
		put(filters, "from", this.from);
		put(filters, "until", this.until);
		put(filters, "error", Boolean.TRUE.equals(this.error) ? "true" : null);
		put(filters, "tool", this.tool);
		put(filters, "author", this.author);
		put(filters, "waiting", Boolean.TRUE.equals(this.waiting) ? "true" : null);
		return filters;
	}

	private static void put(Map<String, String> filters, String name, @Nullable String value) {
		if (StringUtils.hasText(value)) {
			filters.put(name, value);
		}
	}

	/** Returns whether the list has only some of the sessions. */
	public boolean isFiltered() {
		return !filters().isEmpty();
	}

	/** Returns the query string of a request with its filters, from the first page on. */
	static String ofRequest(HttpServletRequest request) {
		String query = ServletUriComponentsBuilder.fromRequest(request).replaceQueryParam("page").build().getQuery();
		return (query != null) ? "?" + query : "";
	}

	/** Returns the query string of the page after a position. */
	String next(Position position, SessionQuery query, PageTokens tokens) {
		return query(filters(), tokens.issue(LIST, List.of(query, condition()), position.texts()));
	}

	private String query(Map<String, String> parameters, @Nullable String token) {
		put(parameters, "order", this.order);
		put(parameters, "page", token);
		UriComponentsBuilder query = UriComponentsBuilder.newInstance();
		parameters.forEach((name, value) -> query.queryParam(name, Links.encode(value)));
		return query.build(true).toUriString();
	}

	private Map<String, String> labels() {
		String text = given(this.label);
		if (text == null) {
			return Map.of();
		}
		Map.Entry<String, String> parsed = Filter.label("The label", text);
		// People write spaces around the sign; an API client means every character
		return Map.of(parsed.getKey().strip(), parsed.getValue().strip());
	}

	private static @Nullable String given(@Nullable String text) {
		return StringUtils.hasText(text) ? text.strip() : null;
	}

	private static @Nullable LocalDate day(String name, @Nullable String text) {
		String day = given(text);
		if (day == null) {
			return null;
		}
		try {
			LocalDate date = LocalDate.parse(day);
			if (date.getYear() < 1 || date.getYear() > LAST_YEAR) {
				throw new SessionException.InvalidArgument(name, "must be within the years 1 to " + LAST_YEAR);
			}
			return date;
		}
		catch (DateTimeParseException ex) {
			throw new SessionException.InvalidArgument(name, "must be a day like 2026-01-31");
		}
	}

	private static Instant start(LocalDate day) {
		return day.atStartOfDay(ZoneOffset.UTC).toInstant();
	}

	/**
	 * Returns the curl command that lists the same sessions over the API.
	 * @param userId the user; {@code null} for all users
	 */
	String curl(String appName, @Nullable String userId, HttpServletRequest request) {
		StringBuilder path = new StringBuilder(Links.api(appName, userId));
		path.append("/sessions?order=desc&includeState=false");
		filters().forEach((name, value) -> path.append('&').append(name).append('=').append(Links.encode(switch (name) {
			case "from" -> value.strip() + "T00:00:00Z";
			case "until" -> value.strip() + "T23:59:59.999999Z";
			default -> value;
		})));
		return Links.of(request).curl(request, path.toString());
	}

}
