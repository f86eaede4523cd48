package dev.agentsessions.vertex.event;

import java.time.DateTimeException;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * Reads times of the protocol: RFC 3339, or an object of seconds and nanoseconds, which
 * ADK Java sends.
 */
public final class WireTime {

	private WireTime() {
	}

	/** Reads a required member. */
	public static Instant read(JsonObject parent, String name) {
		JsonText value = parent.required(name);
		if (value.isObject()) {
			JsonObject time = parent.requiredObject(name);
			return of(name, number(name, time.get("seconds")), number(name, time.get("nanos")));
		}
		return Timestamps.parse(name, value.stringOrText());
	}

	/** Formats the time, because {@link Timestamps} checks the range of a text. */
	private static Instant of(String name, long seconds, long nanos) {
		try {
			return Timestamps.parse(name, Instant.ofEpochSecond(seconds, nanos).toString());
		}
		catch (DateTimeException | ArithmeticException ex) {
			throw new SessionException.InvalidArgument(name, "must be within the years 1 to 9999");
		}
	}

	/**
	 * Returns a whole number, with or without quotes: the JSON form of the protocol puts
	 * 64-bit numbers in quotes.
	 */
	private static long number(String name, @Nullable JsonText value) {
		if (value == null) {
			return 0;
		}
		try {
			return Long.parseLong(value.stringOrText());
		}
		catch (NumberFormatException ex) {
			throw new SessionException.InvalidArgument(name, "must have whole numbers of seconds and nanos");
		}
	}

}
