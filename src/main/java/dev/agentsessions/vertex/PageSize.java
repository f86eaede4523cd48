package dev.agentsessions.vertex;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;

/** How many items a page may have. Most clients never ask for a second page. */
final class PageSize {

	private PageSize() {
	}

	/** The size that was asked for; everything if none was. */
	static int of(@Nullable Integer pageSize) {
		if (pageSize != null && pageSize < 0) {
			throw new SessionException.InvalidArgument("pageSize", "must not be negative");
		}
		return (pageSize == null || pageSize == 0) ? Integer.MAX_VALUE : pageSize;
	}

}
