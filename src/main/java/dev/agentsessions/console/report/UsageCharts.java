package dev.agentsessions.console.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.report.UsageCharts.BarChart.Key;
import dev.agentsessions.console.report.UsageCharts.BarChart.Row;
import dev.agentsessions.console.report.UsagePageController.UsageLine;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.report.Usage.ModelUsage;
import dev.agentsessions.session.report.UsageReport;
import dev.agentsessions.session.report.UsageReport.TimedTurn;
import dev.agentsessions.session.report.UsageReport.Timing;
import dev.agentsessions.session.report.UsageReport.UsageRow;

/** Makes the pictures of what an app, a user or a session has spent. */
final class UsageCharts {

	private static final int MAX_DAYS = 31;

	private static final int MAX_NAMES = 20;

	/** Further models are one part of a bar. */
	private static final int MAX_MODELS = 5;

	private static final double PERCENT = 100;

	/** The length of a bar whose parts show shares. */
	private static final double WHOLE = 10_000;

	private final UsageReport report;

	private final Function<UsageRow, String> dayPage;

	private final String sessions;

	private UsageCharts(UsageReport report, Function<UsageRow, String> dayPage, String sessions) {
		this.report = report;
		this.dayPage = dayPage;
		this.sessions = sessions;
	}

	/**
	 * Returns the pictures that have a bar.
	 * @param report a report by day, with times
	 * @param dayPage the page with more about a day
	 * @param turnPage the page with more about a turn
	 * @param sessions the page that lists the sessions
	 */
	static List<BarChart> of(UsageReport report, Function<UsageRow, String> dayPage,
			Function<TimedTurn, String> turnPage, String sessions) {
		UsageCharts charts = new UsageCharts(report, dayPage, sessions);
		return withBars(charts.tokens(), charts.errors(), charts.calls(), charts.durations(),
				slowest(report, turnPage));
	}

	/**
	 * Returns the pictures of a session that have a bar.
	 * @param turnPage the page with more about a turn
	 */
	static List<BarChart> ofSession(UsageReport report, Function<TimedTurn, String> turnPage) {
		return withBars(slowest(report, turnPage));
	}

	private static List<BarChart> withBars(BarChart... charts) {
		return Stream.of(charts).filter((chart) -> !chart.bars().isEmpty()).toList();
	}

	/** The newest day is the first one. */
	private List<UsageRow> days() {
		return this.report.rows().stream().sorted(Comparator.comparing(UsageRow::name).reversed()).toList();
	}

	private BarChart tokens() {
		List<String> models = this.report.total().models().stream().map(UsageCharts::model).toList();
		List<Key> legend = new ArrayList<>();
		for (String model : models.subList(0, Math.min(MAX_MODELS, models.size()))) {
			legend.add(Key.of("agent-" + legend.size(), model));
		}
		if (models.size() > MAX_MODELS) {
			legend.add(Key.of("others", "other models"));
		}
		Stream<String> names = legend.stream().map((key) -> key.name().text());
		return BarChart.of("Tokens by day", legend,
				Stream.of(Stream.of("Day"), names, Stream.of("All")).flatMap((part) -> part).toList(), days(), MAX_DAYS,
				(day) -> tokens(day, models, legend.size()));
	}

	private Row tokens(UsageRow day, List<String> models, int parts) {
		long[] values = new long[parts];
		for (ModelUsage model : day.usage().models()) {
			values[Math.min(MAX_MODELS, models.indexOf(model(model)))] += model.tokens().total();
		}
		List<Long> tokens = Arrays.stream(values).boxed().toList();
		String all = UsageLine.number(day.usage().tokens().total());
		return new Row(day.name(), this.dayPage.apply(day), all + " tokens", tokens,
				Stream.concat(tokens.stream().map(UsageLine::number), Stream.of(all)).toList());
	}

	private BarChart errors() {
		List<UsageRow> days = days().stream().filter((day) -> day.usage().turns() > 0).toList();
		return BarChart.of("Turns with an error by day",
				List.of(Key.of("error", "turns with an error"), Key.of("others", "other turns")),
				List.of("Day", "Turns", "With an error", "Part"), days, MAX_DAYS, (day) -> {
					long turns = day.usage().turns();
					long failed = day.usage().failedTurns();
					String part = String.format(Locale.ROOT, "%.1f %%", PERCENT * failed / turns);
					long length = Math.round(WHOLE * failed / turns);
					return new Row(day.name(), this.dayPage.apply(day), part + " of " + UsageLine.number(turns),
							List.of(length, (long) WHOLE - length),
							List.of(UsageLine.number(turns), UsageLine.number(failed), part));
				});
	}

	private BarChart calls() {
		return BarChart.of("Calls by tool", List.of(Key.of("tool", "calls"), Key.of("error", "of these, failed")),
				List.of("Tool", "Calls", "Failed"), this.report.tools(), MAX_NAMES,
				(tool) -> new Row(tool.name(), this.sessions + "?tool=" + Links.encode(tool.name()),
						UsageLine.number(tool.calls())
								+ ((tool.failed() > 0) ? ", " + UsageLine.number(tool.failed()) + " failed" : ""),
						List.of(tool.calls() - tool.failed(), tool.failed()),
						List.of(UsageLine.number(tool.calls()), UsageLine.number(tool.failed()))));
	}

	/** Models are above tools. */
	private BarChart durations() {
		List<Row> rows = Stream
			.concat(this.report.models()
				.stream()
				.limit(MAX_NAMES)
				.map((model) -> duration(name(model.name()), true, model)),
					this.report.tools().stream().limit(MAX_NAMES).map((tool) -> duration(tool.name(), false, tool)))
			.flatMap(Stream::ofNullable)
			.toList();
		return BarChart.of("Durations of models and tools",
				List.of(Key.of("model", "half of the responses of a model"), Key.of("model more", "95 of 100"),
						Key.of("tool", "half of the calls of a tool"), Key.of("tool more", "95 of 100")),
				List.of("Name", "Kind", "Half took at most", "95 of 100 took at most"), rows, 2 * MAX_NAMES,
				(row) -> row);
	}

	private static @Nullable Row duration(String name, boolean model, Timing timing) {
		Duration half = timing.half();
		Duration most = timing.most();
		if (half == null || most == null) {
			return null;
		}
		long begin = half.toMillis();
		long rest = most.toMillis() - begin;
		String median = TimeFormat.precise(half);
		String slow = TimeFormat.precise(most);
		return new Row(name, null, median + " · " + slow, model ? List.of(begin, rest) : List.of(0L, 0L, begin, rest),
				List.of(model ? "model" : "tool", median, slow));
	}

	private static BarChart slowest(UsageReport report, Function<TimedTurn, String> turnPage) {
		return BarChart.of("Slowest turns", List.of(Key.of("agent-0", "turns"), Key.of("error", "turns with an error")),
				List.of("Turn (UTC)", "Session", "Took"), report.slowest(), MAX_NAMES, (turn) -> {
					long length = turn.worked().toMillis();
					String took = TimeFormat.precise(turn.worked());
					return new Row(TimeFormat.of(turn.first()) + " of " + turn.userId(), turnPage.apply(turn), took,
							turn.failed() ? List.of(0L, length) : List.of(length, 0L), List.of(turn.sessionId(), took));
				});
	}

	private static String model(ModelUsage usage) {
		return name(Objects.toString(usage.model(), ""));
	}

	private static String name(String model) {
		return model.isEmpty() ? "no model named" : model;
	}

	/**
	 * A picture of bars, and the table with the same data.
	 *
	 * @param title its title
	 * @param legend what the parts of the bars stand for
	 * @param columns the names of the columns of the table
	 * @param bars the bars, from above
	 * @param omitted the number of bars that it does not show
	 */
	record BarChart(String title, List<Key> legend, List<TruncatedText> columns, List<Bar> bars, int omitted) {

		private static final double PERCENT = 100;

		/**
		 * Makes a picture in which the longest bar has the whole width.
		 * @param most the maximum number of bars; the first ones are shown
		 */
		static <T> BarChart of(String title, List<Key> legend, List<String> columns, List<T> rows, int most,
				Function<T, Row> row) {
			List<Row> shown = rows.stream().limit(most).map(row).toList();
			double whole = shown.stream().mapToLong(Row::sum).max().orElse(0);
			return new BarChart(title, legend, columns.stream().map(TruncatedText::line).toList(),
					shown.stream().map((one) -> one.toBar(legend, whole)).toList(), rows.size() - shown.size());
		}

		private static String percent(double value) {
			return String.format(Locale.ROOT, "%.2f%%", value);
		}

		/**
		 * What parts of bars stand for.
		 *
		 * @param kind the class of their colour
		 * @param name its name
		 */
		record Key(String kind, TruncatedText name) {

			static Key of(String kind, String name) {
				return new Key(kind, TruncatedText.line(name));
			}

		}

		/**
		 * A line of the data.
		 *
		 * @param name its name
		 * @param link a page with more about it; {@code null} for none
		 * @param text what stands beside its bar
		 * @param values the lengths of the parts of its bar, in the order of the legend
		 * @param cells the further cells of the table
		 */
		record Row(String name, @Nullable String link, String text, List<Long> values, List<String> cells) {

			private long sum() {
				return this.values.stream().mapToLong(Long::longValue).sum();
			}

			private Bar toBar(List<Key> legend, double whole) {
				List<Part> parts = new ArrayList<>();
				double x = 0;
				for (int number = 0; number < this.values.size(); number++) {
					double width = (whole > 0) ? this.values.get(number) / whole * PERCENT : 0;
					if (width > 0) {
						parts.add(new Part(legend.get(number), percent(x), percent(width)));
					}
					x += width;
				}
				return new Bar(TruncatedText.line(this.name), this.link, this.text, parts,
						this.cells.stream().map((cell) -> TruncatedText.line(cell).text()).toList());
			}

		}

		/**
		 * A bar.
		 *
		 * @param name its name
		 * @param link a page with more about it; {@code null} for none
		 * @param text what stands beside it
		 * @param parts its parts that have a length
		 * @param cells the further cells of its line in the table
		 */
		record Bar(TruncatedText name, @Nullable String link, String text, List<Part> parts, List<String> cells) {

		}

		/**
		 * A part of a bar.
		 *
		 * @param key what it stands for
		 * @param x where it begins
		 * @param width how wide it is
		 */
		record Part(Key key, String x, String width) {

		}

	}

}
