package dev.agentsessions.session.event;

import java.math.BigDecimal;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The times of the events that a summary replaces. ADK compares them as binary floating
 * point numbers, so the service compares them in the same way.
 *
 * @param from the first, in seconds
 * @param to the last, in seconds; inclusive
 * @param excluded the times of events in the range that the summary does not replace, in
 * seconds. Source: {@code EventCompaction.ExcludedEvents} of ADK Go
 */
public record TimeRange(double from, double to, NavigableSet<Double> excluded) {

	private static final BigDecimal FIRST_MILLISECONDS = new BigDecimal("1e11");

	/** Longer numbers are not times, and take long to parse. */
	private static final int MAX_NUMBER_CHARS = 100;

	/**
	 * Reads the range of {@code actions.compaction}, whose names may also be in
	 * snake_case; {@code null} if the times are not valid, or no content replaces the
	 * events.
	 */
	static @Nullable TimeRange of(JsonObject compaction) {
		Double from = seconds(LenientFields.get(compaction, "startTimestamp"));
		Double to = seconds(LenientFields.get(compaction, "endTimestamp"));
		JsonText content = LenientFields.get(compaction, "compactedContent");
		return (from != null && to != null && content != null && content.isObject())
				? new TimeRange(from, to, excluded(compaction)) : null;
	}

	private static NavigableSet<Double> excluded(JsonObject compaction) {
		return LenientFields.elements(compaction, "excludedEvents")
			.stream()
			.filter(JsonText::isObject)
			.map((event) -> seconds(JsonObject.of(event).get(EventFields.TIMESTAMP)))
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** Returns whether this range contains a time. */
	public boolean contains(double time) {
		return this.from <= time && time <= this.to;
	}

	/**
	 * Returns whether the summary replaces the events of a time.
	 * @param precision how exact the times of excluded events are, in seconds
	 */
	public boolean replaces(double time, double precision) {
		Double next = this.excluded.ceiling(time - precision);
		return contains(time) && (next == null || next > time + precision);
	}

	/** Returns whether the summary replaces all events that another one replaces. */
	public boolean contains(TimeRange other) {
		return this.from <= other.from && this.to >= other.to && this.excluded.isEmpty();
	}

	/**
	 * Returns seconds. Numbers of 1e11 or more are milliseconds, as ADK Java sends them.
	 * Numbers are never expanded, whatever their exponent.
	 */
	private static @Nullable Double seconds(@Nullable JsonText time) {
		if (time == null) {
			return null;
		}
		try {
			if (time.isString()) {
				return Timestamps.toSeconds(Timestamps.parse("", time.string(""))).doubleValue();
			}
			if (time.length() > MAX_NUMBER_CHARS) {
				return null;
			}
			BigDecimal number = new BigDecimal(time.text());
			boolean milliseconds = number.abs().compareTo(FIRST_MILLISECONDS) >= 0;
			double seconds = (milliseconds ? number.scaleByPowerOfTen(-3) : number).doubleValue();
			return Double.isFinite(seconds) ? seconds : null;
		}
		catch (ArithmeticException | NumberFormatException | SessionException.InvalidArgument ex) {
			return null;
		}
	}

}
