package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;

/** The order of a list, as a query parameter. */
final class SortOrder {

	private SortOrder() {
	}

	/** Whether the newest come first; {@code null} is the same as {@code asc}. */
	static boolean isNewestFirst(@Nullable String order) {
		if (order == null || order.equals("asc")) {
			return false;
		}
		if (order.equals("desc")) {
			return true;
		}
		throw new SessionException.InvalidArgument("order", "must be asc or desc");
	}

}
