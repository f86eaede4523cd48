package dev.agentsessions.console.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.report.Usage;
import dev.agentsessions.session.report.Usage.ModelUsage;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageReport;
import dev.agentsessions.session.report.UsageReport.TimedTurn;
import dev.agentsessions.session.report.UsageReport.UsageRow;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the pages about what an app, a user or a session has spent. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}")
class UsagePageController {

	/** The marks of more turns would fill the time line. */
	private static final int MAX_MARKED_TURNS = 100;

	private final UsageService usage;

	private final PageTokens tokens;

	UsagePageController(UsageService usage, PageTokens tokens) {
		this.usage = usage;
		this.tokens = tokens;
	}

	/** Serves the table, or the form again with what is wrong with it. */
	@GetMapping({ "/usage", "/users/{userId}/usage" })
	ModelAndView list(@PathVariable String appName, @PathVariable @Nullable String userId, UsageForm parameters,
			HttpServletRequest request, Model model) {
		StateOwner owner = new StateOwner(appName, userId);
		UsageForm form = parameters.orLastWeek(LocalDate.now(ZoneOffset.UTC));
		Links links = Links.of(request);
		String page = links.owner(owner) + "/usage";
		model.addAttribute("title", TruncatedText.line((userId != null) ? userId : appName));
		model.addAttribute("form", form);
		model.addAttribute("by", form.grouping(userId));
		model.addAttribute("page", page);
		try {
			UsageQuery query = form.toQuery(owner);
			UsageQuery wanted = form.page(query, this.tokens);
			boolean byDay = query.by() == Grouping.DAY;
			UsageReport report = this.usage.report(byDay ? wanted.withTimes() : wanted);
			model.addAttribute("view", UsageView.of(report, (row) -> line(row, query, form, links)));
			model.addAttribute("charts", byDay ? UsageCharts.of(report, (row) -> day(row, owner, links),
					(turn) -> timeline(turn, appName, links), links.owner(owner)) : List.of());
			model.addAttribute("byUser", (byDay && userId == null) ? page + form.range() + "&by=user" : null);
			model.addAttribute("next", form.next(report, query, this.tokens));
			model.addAttribute("curl", links.curl(request, UsageForm.apiPath(query)));
			return new ModelAndView("console/usage");
		}
		catch (SessionException.InvalidArgument ex) {
			model.addAttribute("refusal", TruncatedText.line(ex.getMessage()));
			return new ModelAndView("console/usage", HttpStatus.BAD_REQUEST);
		}
	}

	@GetMapping("/users/{userId}/sessions/{sessionId}/usage")
	String session(SessionName name, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		UsageReport report = this.usage.report(UsageQuery.ofSession(name));
		model.addAttribute("view", UsageView.of(report, (row) -> turn(row, name, links)));
		model.addAttribute("charts", UsageCharts.ofSession(report, (turn) -> timeline(turn, name.appName(), links)));
		model.addAttribute("title", TruncatedText.line(name.sessionId()));
		model.addAttribute("by", Grouping.TURN);
		model.addAttribute("page", links.session(name) + "/usage");
		List<UsageRow> turns = report.rows();
		model.addAttribute("turns", (turns.size() <= MAX_MARKED_TURNS) ? marks(turns.stream()) : "");
		model.addAttribute("failedTurns", marks(turns.stream().filter((turn) -> turn.usage().failedTurns() > 0)));
		model.addAttribute("curl", links.curl(request, name, "/usage"));
		return "console/usage";
	}

	/**
	 * Returns the marks of turns for the time line of the session: a line at the first
	 * event of each.
	 */
	private static String marks(Stream<UsageRow> turns) {
		return SessionView.marks(turns.mapToLong(UsageRow::seq));
	}

	private static String timeline(TimedTurn turn, String appName, Links links) {
		return links.session(new SessionName(appName, turn.userId(), turn.sessionId())) + "/turn?at=" + turn.seq();
	}

	private static UsageLine turn(UsageRow row, SessionName session, Links links) {
		String name = row.name().isEmpty() ? "no invocation" : row.name();
		return UsageLine.of(name, links.eventInSession(session, row.seq()), row.usage());
	}

	private static String day(UsageRow row, StateOwner owner, Links links) {
		return links.owner(owner) + "/usage?from=" + row.name() + "&to=" + row.name()
				+ ((owner.userId() == null) ? "&by=user" : "&by=model");
	}

	/** Days of an app lead to its users, and users to their own page. */
	private static UsageLine line(UsageRow row, UsageQuery query, UsageForm form, Links links) {
		return switch (query.by()) {
			case DAY -> UsageLine.of(row.name(), day(row, query.owner(), links), row.usage());
			case USER -> UsageLine.of(row.name(),
					links.user(query.owner().appName(), row.name()) + "/usage" + form.range(), row.usage());
			case MODEL, TURN -> UsageLine.of(row.name().isEmpty() ? "no model named" : row.name(), null, row.usage());
		};
	}

	/**
	 * What a session, a user or an app has spent, as a page shows it.
	 *
	 * @param total all of it
	 * @param copied the part that a fork has copied; {@code null} if there is none
	 * @param rows the lines of turns, days or users
	 * @param models the lines of models
	 * @param sessions the number of sessions that were looked at
	 * @param invalidEvents the number of events with a count that is left out
	 * @param priced whether there are prices
	 * @param complete whether all events are counted
	 */
	record UsageView(UsageLine total, @Nullable UsageLine copied, List<UsageLine> rows, List<UsageLine> models,
			String sessions, long invalidEvents, boolean priced, boolean complete) {

		/** Returns the view of a report, with the line of each row. */
		static UsageView of(UsageReport report, Function<UsageRow, UsageLine> line) {
			Usage total = report.total();
			return new UsageView(UsageLine.of("All", null, total),
					(report.copied().events() > 0) ? UsageLine.of("Copied", null, report.copied()) : null,
					report.rows().stream().map(line).toList(), total.models().stream().map(UsageLine::of).toList(),
					UsageLine.number(report.sessions()), total.invalidEvents(), report.priced(), report.isComplete());
		}

	}

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
		UsageForm orLastWeek(LocalDate today) {
			return (this.from != null || this.to != null) ? this
					: new UsageForm(today.minusDays(DEFAULT_DAYS - 1).toString(), today.toString(), this.by, this.page);
		}

		UsageQuery toQuery(StateOwner owner) {
			LocalDate last = day("The last day", this.to);
			return new UsageQuery(owner, null, grouping(owner.userId()), begin(day("The first day", this.from)),
					(last != null) ? begin(last.plusDays(1)) : null, null, false);
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
			return (next == null) ? null : range() + "&by=" + query.by().text() + "&page="
					+ tokens.issue(LIST, List.of(query), next.texts());
		}

		/** Returns the path of the request that reads the same over the API. */
		static String apiPath(UsageQuery query) {
			return Links.api(query.owner().appName(), query.owner().userId()) + "/usage?by=" + query.by().text()
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

	/**
	 * A line of a table of tokens.
	 *
	 * @param name what the line stands for
	 * @param link a page with more about it; {@code null} for none
	 * @param turns the number of turns
	 * @param duration how long they took; blank for none
	 * @param prompt tokens of prompts
	 * @param cached those of them from a cache
	 * @param thoughts tokens of thoughts
	 * @param output tokens of responses
	 * @param total all tokens
	 * @param cost the cost, and what it does not contain
	 */
	record UsageLine(TruncatedText name, @Nullable String link, String turns, String duration, String prompt,
			String cached, String thoughts, String output, String total, String cost) {

		private static final int COST_DIGITS = 4;

		private static final int MAX_NAMED_MODELS = 5;

		static UsageLine of(String name, @Nullable String link, Usage usage) {
			return of(name, link, number(usage.turns()), (usage.turns() > 0) ? TimeFormat.of(usage.duration()) : "",
					usage.tokens(), cost(usage));
		}

		static UsageLine of(ModelUsage usage) {
			String name = (usage.model() != null) ? usage.model() : "no model named";
			return of(name, null, "", "", usage.tokens(), (usage.cost() != null) ? cost(usage.cost()) : "no price");
		}

		private static UsageLine of(String name, @Nullable String link, String turns, String duration, Tokens tokens,
				String cost) {
			return new UsageLine(TruncatedText.line(name), link, turns, duration, number(tokens.prompt()),
					number(tokens.cached()), number(tokens.thoughts()), number(tokens.output()), number(tokens.total()),
					cost);
		}

		private static String cost(Usage usage) {
			String unpriced = (usage.unpricedTokens() > 0)
					? number(usage.unpricedTokens()) + " tokens without a price" + unpricedModels(usage) : "";
			return usage.cost()
				.map((cost) -> unpriced.isEmpty() ? cost(cost) : cost(cost) + " and " + unpriced)
				.orElse(unpriced);
		}

		/** Names the models without a price: the operator has to set one for each. */
		private static String unpricedModels(Usage usage) {
			String names = usage.models()
				.stream()
				.filter((model) -> model.cost() == null && model.tokens().total() > 0)
				.map((model) -> Objects.requireNonNullElse(model.model(), "no model named"))
				.limit(MAX_NAMED_MODELS)
				.collect(Collectors.joining(", "));
			return " (" + TruncatedText.line(names).text() + ")";
		}

		private static String cost(BigDecimal cost) {
			return cost.setScale(COST_DIGITS, RoundingMode.HALF_UP).toPlainString();
		}

		static String number(long number) {
			return String.format(Locale.ROOT, "%,d", number);
		}

	}

}
