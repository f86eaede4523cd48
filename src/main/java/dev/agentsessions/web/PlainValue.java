package dev.agentsessions.web;

import java.util.regex.Pattern;

/**
 * The types of query parameters, and the values that mean the same to Spring MVC and to a
 * direct route.
 */
public enum PlainValue {

	/** Letters, digits and signs that no client encodes. */
	TEXT("[A-Za-z0-9._~:-]+"),

	/** A whole number of up to nine digits. */
	NUMBER("0|[1-9][0-9]{0,8}"),

	/** {@code true} or {@code false}. */
	FLAG("true|false");

	private final Pattern pattern;

	PlainValue(String pattern) {
		this.pattern = Pattern.compile(pattern);
	}

	static PlainValue of(Class<?> type) {
		if (type == String.class) {
			return TEXT;
		}
		return (type == Boolean.class) ? FLAG : NUMBER;
	}

	boolean matches(String value) {
		return this.pattern.matcher(value).matches();
	}

}
