package dev.agentsessions.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Normalises JSON numbers without expanding their exponents: {@code 1e99999999} stays ten
 * characters long.
 */
public final class JsonNumbers {

	private static final int MAX_WHOLE_DIGITS = 18;

	private static final Pattern DIGITS = Pattern.compile("-?\\d+");

	private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d*)?([eE][+-]?\\d{1,10})?");

	private JsonNumbers() {
	}

	/**
	 * Returns the value of a whole number, however it is written: {@code 1}, {@code 1.0}
	 * and {@code 10e-1} are 1.
	 * @param text any text
	 * @return {@code null} if it is no whole number, or has more than 18 digits
	 */
	public static @Nullable Long whole(String text) {
		if (text.length() <= MAX_WHOLE_DIGITS && DIGITS.matcher(text).matches()) {
			return Long.valueOf(text);
		}
		if (!NUMBER.matcher(text).matches()) {
			return null;
		}
		String canonical = canonical(text);
		int exponent = canonical.indexOf('e');
		long power = (exponent < 0) ? 0 : Long.parseLong(canonical.substring(exponent + 1));
		boolean possible = power >= 0 && exponent + power <= MAX_WHOLE_DIGITS + (canonical.startsWith("-") ? 1 : 0);
		return possible ? new BigDecimal(canonical).longValueExact() : null;
	}

	/** Returns the token that a JSON number is: a whole number, or another one. */
	static JsonToken kind(String number) {
		return (DIGITS.matcher(number).matches() || whole(number) != null) ? JsonToken.VALUE_NUMBER_INT
				: JsonToken.VALUE_NUMBER_FLOAT;
	}

	/**
	 * Returns the same text for all spellings of a number: its digits without zeros at
	 * the ends, and the power of ten of the last digit. {@code 1.0}, {@code 1} and {@code
	 * 10e-1} are {@code 1e0}.
	 * @param number a JSON number
	 */
	static String canonical(String number) {
		int sign = number.startsWith("-") ? 1 : 0;
		int mantissaEnd = indexOfExponent(number);
		int point = number.indexOf('.');
		String mantissa = number.substring(sign, mantissaEnd);
		String digits = (point < 0) ? mantissa : mantissa.replace(".", "");
		int start = 0;
		while (start < digits.length() && digits.charAt(start) == '0') {
			start++;
		}
		if (start == digits.length()) {
			return "0";
		}
		int end = digits.length();
		while (digits.charAt(end - 1) == '0') {
			end--;
		}
		int fraction = (point < 0) ? 0 : mantissaEnd - point - 1;
		BigInteger power = exponent(number, mantissaEnd).add(BigInteger.valueOf(digits.length() - end - fraction));
		return number.substring(0, sign) + digits.substring(start, end) + "e" + power;
	}

	private static int indexOfExponent(String number) {
		int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
		return (exponent < 0) ? number.length() : exponent;
	}

	/**
	 * Parses the exponent, which is short because JSON readers accept at most 1,000
	 * digits.
	 */
	private static BigInteger exponent(String number, int mantissaEnd) {
		if (mantissaEnd == number.length()) {
			return BigInteger.ZERO;
		}
		String exponent = number.substring(mantissaEnd + 1);
		return new BigInteger(exponent.startsWith("+") ? exponent.substring(1) : exponent);
	}

}
