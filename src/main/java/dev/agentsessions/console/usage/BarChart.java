package dev.agentsessions.console.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.TruncatedText;

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
		return new BarChart(title, legend, columns.stream().map(BarChart::line).toList(),
				shown.stream().map((one) -> one.toBar(legend, whole)).toList(), rows.size() - shown.size());
	}

	private static TruncatedText line(String text) {
		return TruncatedText.of(text, TruncatedText.MAX_LINE_CHARS);
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
			return new Key(kind, line(name));
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
			return new Bar(line(this.name), this.link, this.text, parts,
					this.cells.stream().map((cell) -> line(cell).text()).toList());
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
