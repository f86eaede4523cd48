package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The parameter {@code filter} of a list of events, by the times that their senders set.
 *
 * @param bounds the comparisons that must all hold
 */
record TimeFilter(List<Bound> bounds) {

	/**
	 * Possessive quantifiers prevent backtracking, so the time is linear in the length of
	 * the text.
	 */
	private static final Pattern BOUND = Pattern.compile("timestamp\\s*+(>=|<=|>|<|=)\\s*+(?:\"([^\"]*+)\"|([^\"]*+))");

	private static final Pattern AND = Pattern.compile("(?<=\\s)AND(?=\\s)");

	private static final int MAX_FILTER_CHARS = 1000;

	static TimeFilter of(@Nullable String text) {
		List<Bound> bounds = new ArrayList<>();
		if (text != null && text.length() > MAX_FILTER_CHARS) {
			throw new SessionException.InvalidArgument("filter",
					"must have at most " + MAX_FILTER_CHARS + " characters");
		}
		if (text != null && !text.isBlank()) {
			AND.splitAsStream(text).map(TimeFilter::bound).forEach(bounds::add);
		}
		return new TimeFilter(bounds);
	}

	/**
	 * Returns the time before which no event passes; {@code null} for no such bound.
	 */
	@Nullable Instant from() {
		return times(">").max(Instant::compareTo).orElse(null);
	}

	/** Returns the time after which no event passes; {@code null} for no such bound. */
	@Nullable Instant until() {
		return times("<").min(Instant::compareTo).orElse(null);
	}

	/** Returns whether an event with this time passes, to the nanosecond. */
	boolean test(Instant time) {
		return this.bounds.stream().allMatch((bound) -> bound.test(time));
	}

	private Stream<Instant> times(String direction) {
		return this.bounds.stream()
			.filter((bound) -> bound.operator().startsWith(direction) || bound.operator().equals("="))
			.map(Bound::time);
	}

	private static Bound bound(String text) {
		Matcher bound = BOUND.matcher(text.strip());
		if (!bound.matches()) {
			throw new SessionException.InvalidArgument("filter",
					"must compare timestamp with a time, such as timestamp>=\"2026-01-01T00:00:00Z\"");
		}
		String time = (bound.group(2) != null) ? bound.group(2) : bound.group(3);
		// A plus sign that the client did not encode arrives as a space.
		return new Bound(bound.group(1), Timestamps.parse("filter", time.replace(' ', '+')));
	}

	/**
	 * A comparison.
	 *
	 * @param operator the operator
	 * @param time the time to compare with
	 */
	record Bound(String operator, Instant time) {

		Bound {
			Objects.requireNonNull(time);
		}

		boolean test(Instant other) {
			int comparison = other.compareTo(this.time);
			return switch (this.operator) {
				case ">=" -> comparison >= 0;
				case "<=" -> comparison <= 0;
				case ">" -> comparison > 0;
				case "<" -> comparison < 0;
				default -> comparison == 0;
			};
		}

	}

}
