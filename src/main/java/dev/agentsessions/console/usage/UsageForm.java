package dev.agentsessions.console.usage;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.web.PageTokens;

/**
 * The query parameters of a page about the usage of an app or a user.
 *
 * @param from the first day; blank for no limit
 * @param to the last day; blank for no limit
 * @param by what the rows stand for: {@code day}, {@code user} or {@code model}
 * @param page the page token; {@code null} for the first page
 */
record UsageForm(@Nullable String from, @Nullable String to, @Nullable String by, @Nullable String page) {

	/** Without parameters, the page shows this number of days, with today. */
	private static final int DEFAULT_DAYS = 7;

	private static final String LIST = "console usage";

	private static final int MAX_YEAR = 9999;

	/** Returns these parameters, with the days of the last week if there are none. */
	UsageForm orLastWeek(Clock clock) {
		if (this.from != null || this.to != null) {
			return this;
		}
		LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
		return new UsageForm(today.minusDays(DEFAULT_DAYS - 1).toString(), today.toString(), this.by, this.page);
	}

	UsageQuery toQuery(String appName, @Nullable String userId) {
		LocalDate last = day("The last day", this.to);
		return new UsageQuery(new StateOwner(appName, userId), null, grouping(userId),
				begin(day("The first day", this.from)), (last != null) ? begin(last.plusDays(1)) : null, null, false);
	}

	/** Returns the query of the page that the parameters name. */
	UsageQuery page(UsageQuery query, PageTokens tokens) {
		if (!StringUtils.hasText(this.page)) {
			return query;
		}
		return query.after(UsagePosition.of(tokens.position(this.page, LIST, List.of(query))));
	}

	/** Returns the query string of the page that continues; {@code null} for none. */
	@Nullable String next(UsageReport report, UsageQuery query, PageTokens tokens) {
		UsagePosition next = report.next();
		return (next == null) ? null
				: range() + "&by=" + query.by().text() + "&page=" + tokens.issue(LIST, List.of(query), next.texts());
	}

	/** Returns the path of the request that reads the same over the API. */
	static String apiPath(UsageQuery query) {
		String userId = query.owner().userId();
		return "/apps/" + Links.encode(query.owner().appName())
				+ ((userId != null) ? "/users/" + Links.encode(userId) : "") + "/usage?by=" + query.by().text()
				+ time("from", query.from()) + time("until", query.until());
	}

	private static String time(String name, @Nullable Instant time) {
		return (time != null) ? "&" + name + "=" + time : "";
	}

	/** Returns the query string of the same days. */
	String range() {
		return "?from=" + Links.encode(text(this.from)) + "&to=" + Links.encode(text(this.to));
	}

	/** Returns what the rows stand for. The page of one user has none for users. */
	Grouping grouping(@Nullable String userId) {
		return switch (text(this.by)) {
			case "user" -> (userId == null) ? Grouping.USER : Grouping.DAY;
			case "model" -> Grouping.MODEL;
			default -> Grouping.DAY;
		};
	}

	private static String text(@Nullable String value) {
		return (value != null) ? value : "";
	}

	private static @Nullable LocalDate day(String field, @Nullable String text) {
		if (!StringUtils.hasText(text)) {
			return null;
		}
		try {
			LocalDate day = LocalDate.parse(text.strip());
			if (day.getYear() >= 1 && day.getYear() < MAX_YEAR) {
				return day;
			}
		}
		catch (DateTimeException ex) {
			// Reported below
		}
		throw new SessionException.InvalidArgument(field, "must be a date such as 2026-01-31");
	}

	private static @Nullable Instant begin(@Nullable LocalDate day) {
		return (day != null) ? day.atStartOfDay(ZoneOffset.UTC).toInstant() : null;
	}

}
