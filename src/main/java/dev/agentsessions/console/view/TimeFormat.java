package dev.agentsessions.console.view;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
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
		try {
			return of(EventFields.timeOf(body));
		}
		catch (JsonException | ArithmeticException | NumberFormatException | DateTimeException ex) {
			return of(event.commitTime());
		}
	}

}
