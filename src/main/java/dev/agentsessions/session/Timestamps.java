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

/**
 * Times as the ADKs of all languages send them: decimal seconds (Python), milliseconds
 * (Java, TypeScript) or RFC 3339 (Go, Rust). Years 1 to 9999.
 */
public final class Timestamps {

	/** The latest time there is. */
	public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

	private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

	/** Characters; every time can be said in much less. */
	private static final int LONGEST = 100;

	private static final BigDecimal FIRST_MILLISECONDS = new BigDecimal("1e11");

	private static final Instant FIRST = OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant();

	/** In milliseconds; seconds are beyond it long before. */
	private static final BigDecimal OUT_OF_RANGE = BigDecimal.valueOf(LAST.toEpochMilli() + 1);

	private static final int NANOSECOND_DIGITS = 9;

	private Timestamps() {
	}

	/**
	 * Reads a time.
	 * @param field what the time is, for messages
	 * @param text decimal seconds, milliseconds where the number is 1e11 or more, or RFC
	 * 3339
	 * @throws SessionException.InvalidArgument if it is neither, or out of range
	 */
	public static Instant parse(String field, String text) {
		if (text.length() > LONGEST) {
			throw new SessionException.InvalidArgument(field, "must be a time of at most " + LONGEST + " characters");
		}
		try {
			Instant time = isNumber(text) ? ofNumber(new BigDecimal(text))
					: DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
			if (time.isBefore(FIRST) || time.isAfter(LAST)) {
				throw new SessionException.InvalidArgument(field, "must be within the years 1 to 9999");
			}
			return time;
		}
		catch (ArithmeticException | NumberFormatException | DateTimeParseException ex) {
			throw new SessionException.InvalidArgument(field,
					"must be a time: decimal seconds, milliseconds or RFC 3339");
		}
	}

	/** Whether a text is a number of seconds, not of milliseconds and not RFC 3339. */
	public static boolean isSeconds(String text) {
		return isNumber(text) && new BigDecimal(text).compareTo(FIRST_MILLISECONDS) < 0;
	}

	/** A time as decimal seconds, without trailing zeros. */
	public static BigDecimal toSeconds(Instant time) {
		BigDecimal seconds = BigDecimal.valueOf(time.getEpochSecond())
			.add(BigDecimal.valueOf(time.getNano(), NANOSECOND_DIGITS));
		return new BigDecimal(seconds.stripTrailingZeros().toPlainString());
	}

	/** Reads what {@link #toSeconds} has written: seconds, however many they are. */
	public static Instant ofSeconds(String text) {
		return ofSeconds(new BigDecimal(text));
	}

	/**
	 * A time as events are found by. It is never rounded up, so that two times keep their
	 * order and are equal wherever they come from.
	 */
	public static @Nullable Instant toMicroseconds(@Nullable Instant time) {
		return (time != null) ? time.truncatedTo(ChronoUnit.MICROS) : null;
	}

	private static boolean isNumber(String text) {
		return NUMBER.matcher(text).matches();
	}

	/** Compares before it calculates, which would write a number with an exponent out. */
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
		if (seconds.abs().compareTo(BigDecimal.valueOf(LAST.getEpochSecond() + 1)) >= 0) {
			throw new ArithmeticException("out of range");
		}
		BigDecimal nanos = seconds.setScale(NANOSECOND_DIGITS, RoundingMode.HALF_UP).movePointRight(NANOSECOND_DIGITS);
		long whole = nanos.divideToIntegralValue(BigDecimal.TEN.pow(NANOSECOND_DIGITS)).longValueExact();
		return Instant.ofEpochSecond(whole, nanos.remainder(BigDecimal.TEN.pow(NANOSECOND_DIGITS)).longValueExact());
	}

}
