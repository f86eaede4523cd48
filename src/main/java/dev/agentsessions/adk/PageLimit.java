package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;

/** How many items a page may have. */
final class PageLimit {

	private PageLimit() {
	}

	/**
	 * The size of a page.
	 * @param limit what was asked for; {@code null} for as many as there may be
	 */
	static int pageSize(@Nullable Integer limit) {
		if (limit != null && limit < 1) {
			throw new SessionException.InvalidArgument("limit", "must be at least 1");
		}
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

}
