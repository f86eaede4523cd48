package dev.agentsessions.console.view;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;

/** Formats times for display, in UTC. */
public final class TimeFormat {

	private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

	private TimeFormat() {
	}

	/** Formats a time to the second; blank for {@code null}. */
	public static String of(@Nullable Instant time) {
		return (time != null) ? SECONDS.format(time.atOffset(ZoneOffset.UTC)) : "";
	}

	/** Formats the time that the sender gave the event, or else its commit time. */
	public static String of(Event event, JsonObject body) {
		JsonText time = body.get(EventFields.TIMESTAMP);
		String formatted = (time != null) ? ofSeconds(time) : "";
		return formatted.isEmpty() ? of(event.commitTime()) : formatted;
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

}
