package dev.agentsessions.console;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventFields;

/** Times for people, in UTC. */
final class TimeFormat {

	private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

	private TimeFormat() {
	}

	/** A time to the second; blank for none. */
	static String of(@Nullable Instant time) {
		return (time != null) ? SECONDS.format(time.atOffset(ZoneOffset.UTC)) : "";
	}

	/** The time that the sender of an event gave it, or else that of the server. */
	static String of(Event event, JsonObject body) {
		try {
			return of(EventFields.timeOf(body));
		}
		catch (JsonException | ArithmeticException | NumberFormatException | DateTimeException ex) {
			return of(event.commitTime());
		}
	}

}
