package dev.agentsessions.session;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException.InvalidArgument;

/**
 * Reads and writes times as the ADKs of all languages send them: decimal seconds
 * (Python), milliseconds (Java, TypeScript) or RFC 3339 (Go, Rust). Years 1 to 9999.
 */
public final class Timestamps {

	/** The latest valid time. */
	public static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");

	private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

	/** Every time needs far fewer characters. */
	private static final int MAX_CHARS = 100;

	/** Smaller numbers are seconds. */
	private static final BigDecimal FIRST_MILLISECONDS = new BigDecimal("1e11");

	private static final Instant FIRST = OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant();

	/** In milliseconds; as seconds, far smaller numbers are out of range already. */
	private static final BigDecimal OUT_OF_RANGE = BigDecimal.valueOf(MAX.toEpochMilli() + 1);

	private static final int NANOSECOND_DIGITS = 9;

	private Timestamps() {
	}

	/**
	 * Parses a time.
	 * @param field the name of the time, for messages
	 * @param text decimal seconds, milliseconds if the number is 1e11 or more, or RFC
	 * 3339
	 * @throws SessionException.InvalidArgument if it is none of them, or out of range
	 */
	public static Instant parse(String field, String text) {
		InvalidArgument.check(text.length() <= MAX_CHARS, field,
				"must be a time of at most " + MAX_CHARS + " characters");
		try {
			Instant time = isNumber(text) ? ofNumber(new BigDecimal(text))
					: DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
			InvalidArgument.check(isValid(time), field, "must be within the years 1 to 9999");
			return time;
		}
		catch (ArithmeticException | NumberFormatException | DateTimeParseException ex) {
			throw new InvalidArgument(field, "must be a time: decimal seconds, milliseconds or RFC 3339");
		}
	}

	/**
	 * Returns whether a text is a number of seconds, not of milliseconds and not RFC
	 * 3339.
	 */
	public static boolean isSeconds(String text) {
		return isNumber(text) && new BigDecimal(text).compareTo(FIRST_MILLISECONDS) < 0;
	}

	/** Returns a time as decimal seconds, without trailing zeros. */
	public static BigDecimal toSeconds(Instant time) {
		BigDecimal seconds = BigDecimal.valueOf(time.getEpochSecond())
			.add(BigDecimal.valueOf(time.getNano(), NANOSECOND_DIGITS));
		return new BigDecimal(seconds.stripTrailingZeros().toPlainString());
	}

	/**
	 * Reads the result of {@link #toSeconds}: always seconds, however large the number
	 * is.
	 */
	public static Instant ofSeconds(String text) {
		return ofSeconds(new BigDecimal(text));
	}

	/**
	 * Rounds a time down to the microsecond by which events are found. It is never
	 * rounded up, so that two times keep their order, and are equal wherever they come
	 * from.
	 */
	public static @Nullable Instant toMicroseconds(@Nullable Instant time) {
		return (time != null) ? time.truncatedTo(ChronoUnit.MICROS) : null;
	}

	/** Returns whether a time is within the years 1 to 9999. */
	public static boolean isValid(Instant time) {
		return !time.isBefore(FIRST) && !time.isAfter(MAX);
	}

	/** Returns the microseconds from 1970 to a time, as tags have them. */
	public static long toEpochMicros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

	/** Reads the result of {@link #toEpochMicros}. */
	public static Instant ofEpochMicros(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	private static boolean isNumber(String text) {
		return NUMBER.matcher(text).matches();
	}

	/** Compares first, because a calculation expands a number with a large exponent. */
	private static Instant ofNumber(BigDecimal number) {
		if (number.abs().compareTo(OUT_OF_RANGE) >= 0) {
			throw new ArithmeticException("out of range");
		}
		return ofSeconds((number.compareTo(FIRST_MILLISECONDS) < 0) ? number : number.movePointLeft(3));
	}

	private static Instant ofSeconds(BigDecimal seconds) {
		if (seconds.abs().compareTo(BigDecimal.ONE.movePointLeft(NANOSECOND_DIGITS)) < 0) {
			return Instant.EPOCH;
		}
		if (seconds.abs().compareTo(BigDecimal.valueOf(MAX.getEpochSecond() + 1)) >= 0) {
			throw new ArithmeticException("out of range");
		}
		BigDecimal nanos = seconds.setScale(NANOSECOND_DIGITS, RoundingMode.HALF_UP).movePointRight(NANOSECOND_DIGITS);
		long whole = nanos.divideToIntegralValue(BigDecimal.TEN.pow(NANOSECOND_DIGITS)).longValueExact();
		return Instant.ofEpochSecond(whole, nanos.remainder(BigDecimal.TEN.pow(NANOSECOND_DIGITS)).longValueExact());
	}

}
