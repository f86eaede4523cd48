package dev.agentsessions.session.event;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The times of the events that a summary stands for. ADK compares them as binary floating
 * point numbers, so they are compared here in the same way.
 *
 * @param from the first, in seconds
 * @param to the last, in seconds; inclusive
 */
public record TimeRange(double from, double to) {

	private static final BigDecimal FIRST_MILLISECONDS = new BigDecimal("1e11");

	/** Numbers with more characters are no times, and take long to read. */
	private static final int LONGEST = 100;

	/**
	 * Reads those of {@code actions.compaction}, whose names may be in snake_case, too;
	 * {@code null} if they are no times, or there is nothing in place of the events.
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

	/** Whether this range holds a time. */
	public boolean contains(double time) {
		return this.from <= time && time <= this.to;
	}

	/** Whether this range holds another one. */
	public boolean contains(TimeRange other) {
		return this.from <= other.from && this.to >= other.to;
	}

	/**
	 * Seconds; milliseconds where the number is 1e11 or more, as ADK Java has them. They
	 * are never written out, whatever their exponent.
	 */
	private static @Nullable Double seconds(@Nullable JsonText time) {
		if (time == null) {
			return null;
		}
		try {
			if (time.isString()) {
				return Timestamps.toSeconds(Timestamps.parse("", time.string(""))).doubleValue();
			}
			if (time.text().length() > LONGEST) {
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
