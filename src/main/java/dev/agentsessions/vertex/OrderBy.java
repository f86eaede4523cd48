package dev.agentsessions.vertex;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.session.SessionException;

/**
 * The parameter {@code orderBy}: a field, and {@code desc} for newest first.
 *
 * @param field the field, in snake_case
 * @param newestFirst newest first instead of oldest first
 */
record OrderBy(String field, boolean newestFirst) {

	private static final Pattern ORDER = Pattern.compile("\\s*(\\w+)(?:\\s+(asc|desc))?\\s*");

	/**
	 * Reads the parameter, in either spelling.
	 * @param text the parameter
	 * @param otherwise what holds without it
	 * @param fields what there is to order by, in snake_case
	 */
	static OrderBy of(@Nullable String text, OrderBy otherwise, String... fields) {
		if (text == null || text.isBlank()) {
			return otherwise;
		}
		Matcher order = ORDER.matcher(text);
		String wanted = order.matches() ? FieldNames.toCamelCase(order.group(1)) : "";
		for (String field : fields) {
			if (FieldNames.toCamelCase(field).equals(wanted)) {
				return new OrderBy(field, "desc".equals(order.group(2)));
			}
		}
		throw new SessionException.InvalidArgument("orderBy",
				"must be " + String.join(" or ", fields) + ", and may be followed by desc");
	}

}
