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
 * @param newestFirst whether the newest come first instead of the oldest
 */
record OrderBy(String field, boolean newestFirst) {

	private static final Pattern ORDER = Pattern.compile("\\s*(\\w+)(?:\\s+(asc|desc))?\\s*");

	/**
	 * Parses the parameter, in camelCase or snake_case.
	 * @param text the parameter
	 * @param defaultOrder the order without the parameter
	 * @param fields the permitted fields, in snake_case
	 */
	static OrderBy of(@Nullable String text, OrderBy defaultOrder, String... fields) {
		if (text == null || text.isBlank()) {
			return defaultOrder;
		}
		Matcher order = ORDER.matcher(text);
		String name = order.matches() ? FieldNames.toCamelCase(order.group(1)) : "";
		for (String field : fields) {
			if (FieldNames.toCamelCase(field).equals(name)) {
				return new OrderBy(field, "desc".equals(order.group(2)));
			}
		}
		throw new SessionException.InvalidArgument("orderBy",
				"must be " + String.join(" or ", fields) + ", and may be followed by desc");
	}

}
