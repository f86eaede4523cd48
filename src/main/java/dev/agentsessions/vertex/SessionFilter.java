package dev.agentsessions.vertex;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;

/**
 * The parameter {@code filter} of a list of sessions: one field and one value. The value
 * extends to the end of the text, because some clients send it without quotes or do not
 * escape it. A text that looks like several conditions is refused: its caller would take
 * an empty list for the answer.
 *
 * @param userId the user of the sessions; {@code null} for all users
 * @param filter the filter by display name and labels
 */
public record SessionFilter(@Nullable String userId, Filter filter) {

	/**
	 * Possessive quantifiers prevent backtracking, so the time is linear in the length of
	 * the text.
	 */
	private static final Pattern FILTER = Pattern.compile("\\s*+([A-Za-z_]++)(?:\\.([^\\s=]++))?\\s*+=\\s*+(.*+)",
			Pattern.DOTALL);

	private static final String ANOTHER = "(?:NOT\\s++|-)?\\(*+"
			+ "(?:user_?id|display_?name|labels\\.|(?:create|update|expire)_?time)";

	/**
	 * Another condition after a quoted value, whose own quotes are escaped.
	 */
	private static final Pattern SEVERAL_QUOTED = Pattern.compile("(?<!\\\\)\"\\s++(?:(?:AND|OR)\\s++)?" + ANOTHER,
			Pattern.CASE_INSENSITIVE);

	/** Another condition after a value without quotes, another operator or quote. */
	private static final Pattern SEVERAL_OR_UNKNOWN = Pattern
		.compile("\\s(?:AND|OR)\\s++" + ANOTHER + "|^(?:[~='(]|\\*$)", Pattern.CASE_INSENSITIVE);

	/** Enough for a value of the maximum size with each of its characters escaped. */
	private static final int MAX_FILTER_CHARS = 50_000;

	private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([\"\\\\/bfnrt])|u([0-9a-fA-F]{4}))");

	private static final String ESCAPED = "bfnrt";

	private static final String UNESCAPED = "\b\f\n\r\t";

	static SessionFilter of(@Nullable String text) {
		if (text == null || text.isBlank()) {
			return new SessionFilter(null, filter(null, Map.of()));
		}
		InvalidArgument.check(text.length() <= MAX_FILTER_CHARS, "filter",
				"must have at most " + MAX_FILTER_CHARS + " characters");
		Matcher filter = FILTER.matcher(text);
		if (!filter.matches() || !isOneValue(filter.group(3))) {
			throw unknown();
		}
		String value = value(filter.group(3));
		return of(FieldNames.toCamelCase(filter.group(1)), filter.group(2), value);
	}

	private static SessionFilter of(String field, @Nullable String key, String value) {
		if (field.equals("labels") && key != null) {
			return new SessionFilter(null, filter(null, Map.of(key, value)));
		}
		if (field.equals("displayName") && key == null) {
			return new SessionFilter(null, filter(value, Map.of()));
		}
		if (field.equals("userId") && key == null) {
			return new SessionFilter(value, filter(null, Map.of()));
		}
		throw unknown();
	}

	private static boolean isOneValue(String value) {
		boolean quoted = value.startsWith("\"");
		return !(quoted ? SEVERAL_QUOTED : SEVERAL_OR_UNKNOWN).matcher(value).find();
	}

	private static Filter filter(@Nullable String displayName, Map<String, String> labels) {
		return new Filter(displayName, labels, true);
	}

	private static InvalidArgument unknown() {
		return new InvalidArgument("filter",
				"must be one condition: user_id=\"...\", display_name=\"...\" or labels.KEY=\"...\"");
	}

	/**
	 * Returns the value in a filter of one field and one value: the text between the
	 * first and the last quote, with its escapes resolved; the whole text as it is if it
	 * does not begin with a quote.
	 */
	public static String value(String text) {
		int end = text.lastIndexOf('"');
		return (text.startsWith("\"") && end > 0) ? unescaped(text.substring(1, end)) : text;
	}

	private static String unescaped(String text) {
		return ESCAPE.matcher(text)
			.replaceAll((escape) -> Matcher.quoteReplacement(character(escape.group(1), escape.group(2))));
	}

	private static String character(String escaped, @Nullable String hex) {
		if (hex != null) {
			return Character.toString((char) Integer.parseInt(hex, 16));
		}
		int special = ESCAPED.indexOf(escaped);
		return (special < 0) ? escaped : UNESCAPED.substring(special, special + 1);
	}

}
