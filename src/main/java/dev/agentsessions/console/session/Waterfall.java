package dev.agentsessions.console.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.session.EventViews.EventView;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;

/**
 * The picture of a turn: a row for each of its events, from left to right in time.
 *
 * @param rows the rows, the oldest event first
 * @param from when it begins
 * @param to when its last event ends
 * @param stored whether the times are those of storage, and not of the senders
 * @param cut whether the turn has more rows
 */
record Waterfall(List<WaterfallRow> rows, Instant from, Instant to, boolean stored, boolean cut) {

	/** Maximum number of rows. */
	static final int MAX_ROWS = 200;

	private static final double PERCENT = 100;

	/** The width of the turn if a wait goes on after its last event. */
	private static final double PERCENT_BEFORE_WAIT = 88;

	private static final double MIN_PERCENT = 0.7;

	private static final double NANOSECONDS = 1e9;

	/** Returns where a row begins, as a part of the width. */
	public String x(WaterfallRow row) {
		return percent(left(row));
	}

	/** Returns the width of a row. A wait may go on after the last event. */
	public String width(WaterfallRow row) {
		Instant end = row.end();
		double right = (end == null || end.isAfter(this.to)) ? PERCENT : position(end);
		return percent(Math.max(MIN_PERCENT, right - left(row)));
	}

	/** Returns the times below the picture: at its beginning, its middle and its end. */
	public List<Tick> ticks() {
		return Stream.of(0, 1, 2).map((half) -> {
			Duration after = Duration.between(this.from, this.to).dividedBy(2).multipliedBy(half);
			return new Tick(percent(end() / 2 * half), TimeFormat.precise(after),
					(half == 0) ? "start" : (half == 1 || end() < PERCENT) ? "middle" : "end");
		}).toList();
	}

	public String began() {
		return TimeFormat.of(this.from);
	}

	public String duration() {
		return TimeFormat.precise(Duration.between(this.from, this.to));
	}

	/** Returns how long after the beginning of the turn a row begins. */
	public String after(WaterfallRow row) {
		return TimeFormat.precise(Duration.between(this.from, row.begin()));
	}

	public long tokens() {
		return TokenUsage.sum(this.rows.stream().map(WaterfallRow::tokens).toList()).total();
	}

	private double left(WaterfallRow row) {
		return Math.min(PERCENT - MIN_PERCENT, position(row.begin()));
	}

	private double position(Instant time) {
		double whole = seconds(this.to);
		return (whole > 0) ? seconds(time) / whole * end() : 0;
	}

	private double seconds(Instant time) {
		Duration after = Duration.between(this.from, time);
		return after.getSeconds() + after.getNano() / NANOSECONDS;
	}

	private double end() {
		return this.rows.stream().anyMatch((row) -> row.end() == null || row.end().isAfter(this.to))
				? PERCENT_BEFORE_WAIT : PERCENT;
	}

	private static String percent(double value) {
		return String.format(Locale.ROOT, "%.2f%%", value);
	}

	/**
	 * A time on the axis.
	 *
	 * @param x its place
	 * @param after the time after the beginning
	 * @param anchor which end of its text is at the place
	 */
	record Tick(String x, String after, String anchor) {

	}

	/**
	 * A row in the picture of a turn.
	 *
	 * @param seq the seq of its event
	 * @param kind what took the time: {@code user}, {@code model}, {@code tool},
	 * {@code wait} for a person, {@code other}
	 * @param author the author of the event
	 * @param branch the branch of the author; blank for none
	 * @param what the beginning of its text, or the names of functions
	 * @param begin when it began
	 * @param end when it ended; {@code null} for a wait that has not ended
	 * @param tokens its tokens
	 * @param error its error; {@code null} for none
	 * @param link the page of the session at the event
	 */
	record WaterfallRow(long seq, String kind, TruncatedText author, TruncatedText branch, TruncatedText what,
			Instant begin, @Nullable Instant end, TokenUsage tokens, @Nullable TruncatedText error, String link) {

		/** Returns how long it took. */
		public String duration() {
			return (this.end != null) ? TimeFormat.precise(Duration.between(this.begin, this.end)) : "no answer";
		}

		/** Returns the number of the colour of the author. */
		public int color() {
			return EventView.color(this.author);
		}

	}

}
