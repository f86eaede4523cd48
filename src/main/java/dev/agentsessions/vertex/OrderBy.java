package dev.agentsessions.vertex;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.FieldNames;
import dev.agentsessions.session.SessionException;

/** The parameter {@code orderBy}: a field, and {@code desc} for newest first. */
final class OrderBy {

	private static final Pattern ORDER = Pattern.compile("\\s*(\\w+)(?:\\s+(asc|desc))?\\s*");

	private OrderBy() {
	}

	/**
	 * Whether the newest come first.
	 * @param orderBy the parameter
	 * @param field the only field to order by
	 * @param otherwise what holds without the parameter
	 */
	static boolean isNewestFirst(@Nullable String orderBy, String field, boolean otherwise) {
		if (orderBy == null || orderBy.isBlank()) {
			return otherwise;
		}
		Matcher order = ORDER.matcher(orderBy);
		if (!order.matches() || !FieldNames.toCamelCase(order.group(1)).equals(field)) {
			throw new SessionException.InvalidArgument("orderBy", "must be " + field + " or " + field + " desc");
		}
		return "desc".equals(order.group(2));
	}

}
