package dev.agentsessions.console.view;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;

/** Formats times, in UTC, and durations for display. */
public final class TimeFormat {

	private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

	private static final int DAYS = 7;

	private static final int MILLISECONDS = 1000;

	private TimeFormat() {
	}

	/** Formats a time to the second; blank for {@code null}. */
	public static String of(@Nullable Instant time) {
		return (time != null) ? SECONDS.format(time.atOffset(ZoneOffset.UTC)) : "";
	}

	/** Says how long ago a time was; after some days, the day. */
	public static String ago(Instant time) {
		Duration ago = Duration.between(time, Instant.now());
		if (ago.toDays() >= DAYS) {
			return time.atOffset(ZoneOffset.UTC).toLocalDate().toString();
		}
		if (ago.toMinutes() < 1) {
			return "just now";
		}
		return (ago.toDays() > 0) ? ago.toDays() + " d ago"
				: (ago.toHours() > 0) ? ago.toHours() + " h ago" : ago.toMinutes() + " min ago";
	}

	/** Formats a number of seconds since 1970; blank if it is none. */
	public static String ofSeconds(JsonText seconds) {
		try {
			return of(Timestamps.ofSeconds(seconds.text()));
		}
		catch (JsonException | ArithmeticException | NumberFormatException | DateTimeException ex) {
			return "";
		}
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
