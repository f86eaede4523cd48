package dev.agentsessions.console.report;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import dev.agentsessions.console.report.UsagePageController.UsageLine;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.StateOwner;
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
	String week(@PathVariable String appName, Model model) {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		UsageQuery query = new UsageQuery(new StateOwner(appName, null), null, Grouping.DAY,
				today.minusDays(Week.DAYS - 1L).atStartOfDay(ZoneOffset.UTC).toInstant(), null, null, false);
		model.addAttribute("week", Week.of(this.usage.report(query, MAX_EVENTS), today));
		model.addAttribute("errors", Links.errors(today, today));
		return "console/week";
	}

	/**
	 * What an app has spent in the last days, as the start page shows it.
	 *
	 * @param total the tokens of all days
	 * @param cost their cost; blank without prices
	 * @param tokens the tokens of each day
	 * @param sessions the sessions with an event of the day
	 * @param failures the turns with an error
	 * @param errors how many turns of today had an error
	 * @param complete whether all events are counted
	 */
	record Week(String total, String cost, SparkLine tokens, SparkLine sessions, SparkLine failures, String errors,
			boolean complete) {

		static final int DAYS = 7;

		/**
		 * Makes the view.
		 * @param report a report by day
		 * @param today the last day
		 */
		static Week of(UsageReport report, LocalDate today) {
			Map<String, UsageRow> rows = report.rows()
				.stream()
				.collect(Collectors.toMap(UsageRow::name, Function.identity()));
			List<Optional<UsageRow>> days = today.minusDays(DAYS - 1L)
				.datesUntil(today.plusDays(1))
				.map((day) -> Optional.ofNullable(rows.get(day.toString())))
				.toList();
			return new Week(UsageLine.number(report.total().tokens().total()),
					report.priced() ? UsageLine.of("", null, report.total()).cost() : "",
					SparkLine.of(days, (day) -> day.usage().tokens().total()), SparkLine.of(days, UsageRow::sessions),
					SparkLine.of(days, (day) -> day.usage().failedTurns()), errors(days.get(DAYS - 1)),
					report.isComplete());
		}

		private static String errors(Optional<UsageRow> today) {
			return today.map(UsageRow::usage)
				.map((usage) -> UsageLine.number(usage.failedTurns()) + " of " + UsageLine.number(usage.turns()))
				.orElse("no turn");
		}

	}

	/**
	 * A line with a point for each day.
	 *
	 * @param points its points
	 * @param words the numbers, the one of today last
	 */
	record SparkLine(String points, String words) {

		private static final int STEP = 20;

		private static final int HEIGHT = 24;

		/** The line is wider than a pixel. */
		private static final int EDGE = 2;

		static SparkLine of(List<Optional<UsageRow>> days, ToLongFunction<UsageRow> count) {
			long[] counts = days.stream().mapToLong((day) -> day.map(count::applyAsLong).orElse(0L)).toArray();
			long most = Math.max(1, LongStream.of(counts).max().orElse(0));
			String points = IntStream.range(0, counts.length)
				.mapToObj((day) -> String.format(Locale.ROOT, "%d,%.1f", EDGE + STEP * day,
						HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (double) counts[day] / most))
				.collect(Collectors.joining(" "));
			return new SparkLine(points,
					LongStream.of(counts).mapToObj(UsageLine::number).collect(Collectors.joining(", ")));
		}

	}

}
