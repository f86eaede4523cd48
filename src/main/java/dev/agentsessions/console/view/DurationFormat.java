package dev.agentsessions.console.view;

import java.time.Duration;
import java.util.Locale;

/** Formats durations for display. */
public final class DurationFormat {

	private static final int MILLISECONDS = 1000;

	private DurationFormat() {
	}

	/** Formats a duration, a short one in milliseconds. */
	public static String precise(Duration duration) {
		long milliseconds = duration.toMillis();
		return (milliseconds < MILLISECONDS) ? milliseconds + " ms" : of(duration);
	}

	/** Formats a duration: seconds with a fraction, minutes, or hours. */
	public static String of(Duration duration) {
		if (duration.toHours() > 0) {
			return String.format(Locale.ROOT, "%,d h %d min", duration.toHours(), duration.toMinutesPart());
		}
		if (duration.toMinutes() > 0) {
			return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
		}
		return String.format(Locale.ROOT, "%.1f s", (double) duration.toMillis() / MILLISECONDS);
	}

}
