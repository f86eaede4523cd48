package dev.agentsessions.session.event;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The times of the events that a summary replaces. ADK compares them as binary floating
 * point numbers, so the service compares them in the same way.
 *
 * @param from the first, in seconds
 * @param to the last, in seconds; inclusive
 */
public record TimeRange(double from, double to) {

	private static final BigDecimal FIRST_MILLISECONDS = new BigDecimal("1e11");

	/** Longer numbers are not times, and take long to parse. */
	private static final int MAX_NUMBER_CHARS = 100;

	/**
	 * Reads the range of {@code actions.compaction}, whose names may also be in
	 * snake_case; {@code null} if the times are not valid, or no content replaces the
	 * events.
	 */
	static @Nullable TimeRange of(JsonObject compaction) {
		Double from = seconds(member(compaction, "startTimestamp", "start_timestamp"));
		Double to = seconds(member(compaction, "endTimestamp", "end_timestamp"));
		JsonText content = member(compaction, "compactedContent", "compacted_content");
		return (from != null && to != null && content != null && content.isObject()) ? new TimeRange(from, to) : null;
	}

	private static @Nullable JsonText member(JsonObject object, String name, String otherName) {
		JsonText value = object.get(name);
		return (value != null) ? value : object.get(otherName);
	}

	/** Returns whether this range contains a time. */
	public boolean contains(double time) {
		return this.from <= time && time <= this.to;
	}

	/** Returns whether this range contains another one. */
	public boolean contains(TimeRange other) {
		return this.from <= other.from && this.to >= other.to;
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
			if (time.text().length() > MAX_NUMBER_CHARS) {
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
