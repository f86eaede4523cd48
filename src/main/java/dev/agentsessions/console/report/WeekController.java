package dev.agentsessions.console.report;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.report.Usage;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageReport;
import dev.agentsessions.session.report.UsageReport.UsageRow;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Serves what the start page says of the tokens and the errors of an app. This may wait
 * for other heavy reads, so the page requests it by itself.
 */
@Controller
class WeekController {

	/** Many apps may be on one page. */
	private static final int MAX_EVENTS = 5000;

	private final UsageService usage;

	WeekController(UsageService usage) {
		this.usage = usage;
	}

	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/week")
	String week(@PathVariable String appName, HttpServletRequest request, Model model) {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		UsageQuery query = new UsageQuery(new StateOwner(appName, null), null, Grouping.DAY,
				today.minusDays(Week.DAYS - 1L).atStartOfDay(ZoneOffset.UTC).toInstant(), null, null, false);
		model.addAttribute("week", Week.of(this.usage.report(query, MAX_EVENTS), today));
		model.addAttribute("errors", "?error=true&from=" + today + "&until=" + today);
		model.addAttribute("link", Links.of(request).app(appName));
		return "console/week";
	}

	/**
	 * What an app has spent in the last days, as the start page shows it.
	 *
	 * @param tokens the tokens
	 * @param cost their cost; blank without prices
	 * @param line the points of the line that shows the tokens of each day
	 * @param turns the points of the line of turns
	 * @param failures the points of the line of turns with an error
	 * @param days the same in words
	 * @param errors how many turns of today had an error
	 * @param complete whether all events are counted
	 */
	record Week(String tokens, String cost, String line, String turns, String failures, String days, String errors,
			boolean complete) {

		static final int DAYS = 7;

		static final int STEP = 20;

		static final int HEIGHT = 24;

		/** The line is wider than a pixel. */
		private static final int EDGE = 2;

		/**
		 * Makes the view.
		 * @param report a report by day
		 * @param today the last day
		 */
		static Week of(UsageReport report, LocalDate today) {
			Map<String, UsageRow> rows = report.rows()
				.stream()
				.collect(Collectors.toMap(UsageRow::name, Function.identity()));
			String words = days(today).map((day) -> day + ": " + UsageLine.number(tokens(rows.get(day.toString()))))
				.collect(Collectors.joining(", "));
			return new Week(UsageLine.number(report.total().tokens().total()),
					report.priced() ? UsageLine.of("", null, report.total()).cost() : "",
					line(rows, today, (usage) -> usage.tokens().total()), line(rows, today, Usage::turns),
					line(rows, today, Usage::failedTurns), words, errors(rows.get(today.toString())),
					report.isComplete());
		}

		private static String line(Map<String, UsageRow> rows, LocalDate today, ToLongFunction<Usage> count) {
			long most = Math.max(1,
					rows.values().stream().mapToLong((row) -> count.applyAsLong(row.usage())).max().orElse(0));
			return days(today).map((day) -> {
				UsageRow row = rows.get(day.toString());
				double height = (row != null) ? (double) count.applyAsLong(row.usage()) / most : 0;
				return String.format(Locale.ROOT, "%d,%.1f", EDGE + STEP * (DAYS - 1 - day.until(today).getDays()),
						HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * height);
			}).collect(Collectors.joining(" "));
		}

		private static Stream<LocalDate> days(LocalDate today) {
			return today.minusDays(DAYS - 1L).datesUntil(today.plusDays(1));
		}

		private static long tokens(@Nullable UsageRow day) {
			return (day != null) ? day.usage().tokens().total() : 0;
		}

		private static String errors(@Nullable UsageRow day) {
			return (day != null)
					? UsageLine.number(day.usage().failedTurns()) + " of " + UsageLine.number(day.usage().turns())
					: "no turn";
		}

	}

}
